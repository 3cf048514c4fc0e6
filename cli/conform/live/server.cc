#include "cli/conform/live/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <regex>

#include <fmt/format.h>

#include "cli/input_error.h"

namespace slotlab::conform {
namespace {

constexpr const char* kOwnConnection = "(slotlab)";

// Nothing but async-signal-safe calls between fork and exec.
[[noreturn]] void become(char* const* words, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();  // Ctrl-C is for slotlab alone, which then ends its servers itself
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(output < 0 ? nothing : output, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  execvp(words[0], words);
  _exit(127);
}

pid_t spawn(std::vector<std::string> words, int output) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) become(pointers.data(), output);
  if (pid < 0) throw cli::InputError(fmt::format("{}: {}", words[0], std::strerror(errno)));
  return pid;
}

std::string output_of(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw cli::InputError(std::strerror(errno));
  const pid_t pid = spawn(words, ends[1]);
  close(ends[1]);
  std::string text;
  char chunk[4096];
  for (ssize_t n = 0; (n = read(ends[0], chunk, sizeof chunk)) > 0;) {
    text.append(chunk, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  return text;
}

bool is_free(int port) {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* generic = std::bit_cast<const sockaddr*>(&address);
  const bool free = bind(probe, generic, sizeof address) == 0;
  close(probe);
  return free;
}

}  // namespace

ServerVersion version_of(const std::string& binary) {
  const std::string text = output_of({binary, "--version"});
  std::smatch part;
  const std::regex pattern(R"((\w+) server v=(\d+)\.(\d+)\.(\d+))", std::regex::icase);
  if (!std::regex_search(text, part, pattern)) {
    throw cli::InputError(fmt::format("{}: does not say that it is a server ('{}')", binary,
                                      text.substr(0, std::min<std::size_t>(60, text.find('\n')))));
  }
  std::string name = part[1];
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return {.text = fmt::format("{} {}.{}.{}", name, part[2].str(), part[3].str(), part[4].str()),
          .valkey = name == "valkey",
          .major = std::stoi(part[2]),
          .minor = std::stoi(part[3])};
}

std::vector<std::uint16_t> free_ports(std::size_t count) {
  // Below the range from which the kernel takes ports for outgoing connections; two processes at
  // once begin at different places, and two clusters of one process never look at one port.
  constexpr int kPorts = 4000;
  static std::mutex one_at_a_time;
  static int next = 0;
  const std::lock_guard lock(one_at_a_time);
  const int first = 18000 + static_cast<int>(getpid() % 40) * 100;
  std::vector<std::uint16_t> ports;
  for (int looked = 0; looked < kPorts && ports.size() < count; ++looked) {
    const int port = first + next++ % kPorts;
    if (is_free(port) && is_free(port + 10000)) ports.push_back(static_cast<std::uint16_t>(port));
  }
  if (ports.size() < count) throw cli::InputError("not enough free loopback ports");
  return ports;
}

Server::Server(std::string binary, std::filesystem::path folder, std::uint16_t port)
    : binary_(std::move(binary)), folder_(std::move(folder)), port_(port) {}

Server::~Server() { kill(); }

bool Server::has_ended() {
  if (waitpid(pid_, nullptr, WNOHANG) != pid_) return false;
  pid_ = 0;
  return true;
}

void Server::start() {
  pid_ = spawn({binary_, (folder_ / "server.conf").string()}, -1);
  paused_ = false;
  const Milliseconds end = real_now() + 15000;
  while (true) {
    try {
      if (ask({"PING"}) == Json({{"type", "status"}, {"value", "PONG"}})) return;
    } catch (const ConnectionError&) {
      connections_.clear();
    }
    if (has_ended()) throw cli::InputError(fmt::format("{} ended by itself", binary_));
    if (real_now() > end) {
      throw cli::InputError(fmt::format("{} does not answer", binary_));
    }
    sleep_for_real(20);
  }
}

void Server::kill() {
  connections_.clear();
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
  paused_ = false;
}

void Server::pause() {
  ::kill(pid_, SIGSTOP);
  paused_ = true;
}

void Server::resume() {
  ::kill(pid_, SIGCONT);
  paused_ = false;
}

Json Server::call(const std::string& connection, const std::vector<std::string>& words) {
  std::unique_ptr<Connection>& open = connections_[connection];
  if (open == nullptr) open = std::make_unique<Connection>(port_, 15000);
  try {
    return open->call(words);
  } catch (const ConnectionError&) {
    connections_.erase(connection);
    throw;
  }
}

Json Server::ask(const std::vector<std::string>& words) { return call(kOwnConnection, words); }

}  // namespace slotlab::conform
