# Puts style and script into the page, and the page into a C++ source.
# cmake -DWEB=<folder> -DOUTPUT=<file.cc> -P embed_page.cmake
file(READ "${WEB}/page.html" page)
file(READ "${WEB}/page.css" style)
file(READ "${WEB}/page.js" script)
string(REPLACE "SLOTLAB_STYLE" "${style}" page "${page}")
string(REPLACE "SLOTLAB_SCRIPT" "${script}" page "${page}")
# A literal may be only so long; neighbours are joined by the compiler.
string(LENGTH "${page}" left)
set(at 0)
set(literals "")
while(left GREATER 0)
  string(SUBSTRING "${page}" ${at} 8000 part)
  string(APPEND literals "    R\"SLOTLABPAGE(${part})SLOTLABPAGE\"\n")
  math(EXPR at "${at} + 8000")
  math(EXPR left "${left} - 8000")
endwhile()
file(WRITE "${OUTPUT}" "// Made by cli/report_page/embed_page.cmake from cli/report_page/web/.
#include \"cli/report_page/page_template.h\"

namespace slotlab::cli {

std::string_view page_template() {
  return
${literals}      ;
}

}  // namespace slotlab::cli
")
