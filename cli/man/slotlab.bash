# Completion of slotlab for bash: verbs, their flags as the program itself lists them, files.
_slotlab() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} candidates
  if ((COMP_CWORD == 1)); then
    candidates=$(slotlab --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$candidates --help --version" -- "$word")
  elif [[ $word == -* ]]; then
    candidates=$(slotlab "$verb" --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _slotlab slotlab
