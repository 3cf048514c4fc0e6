#include "cli/conform/live/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace slotlab::conform {
namespace {

void set_timeout(int socket, Milliseconds timeout) {
  timeval value{};
  value.tv_sec = timeout / 1000;
  value.tv_usec = timeout % 1000 * 1000;
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &value, sizeof value);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &value, sizeof value);
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

std::int64_t number_of(const std::string& digits) {
  try {
    return std::stoll(digits);
  } catch (const std::exception&) {
    throw ConnectionError("not a number in a reply: " + digits);
  }
}

}  // namespace

Connection::Connection(std::uint16_t port, Milliseconds timeout) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) throw ConnectionError(std::strerror(errno));
  set_timeout(socket_, timeout);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* generic = std::bit_cast<const sockaddr*>(&address);
  if (connect(socket_, generic, sizeof address) != 0) {
    const std::string why = std::strerror(errno);
    close(socket_);
    throw ConnectionError(fmt::format("port {}: {}", port, why));
  }
}

Connection::~Connection() { close(socket_); }

void Connection::send(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) throw ConnectionError(fmt::format("sending: {}", std::strerror(errno)));
    sent += static_cast<std::size_t>(n);
  }
}

void Connection::fill() {
  std::array<char, 65536> chunk;
  const ssize_t n = recv(socket_, chunk.data(), chunk.size(), 0);
  if (n == 0) throw ConnectionError("the server closed the connection");
  if (n < 0) throw ConnectionError(fmt::format("waiting for a reply: {}", std::strerror(errno)));
  buffer_.append(chunk.data(), static_cast<std::size_t>(n));
}

std::string Connection::line() {
  std::size_t end = buffer_.find("\r\n");
  while (end == std::string::npos) {
    fill();
    end = buffer_.find("\r\n");
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return line;
}

Json Connection::reply() {
  const std::string head = line();
  if (head.empty()) throw ConnectionError("an empty reply");
  const std::string rest = head.substr(1);
  switch (head[0]) {
    case '+': return {{"type", "status"}, {"value", rest}};
    case '-': return {{"type", "error"}, {"value", rest}};
    case ':': return {{"type", "int"}, {"value", number_of(rest)}};
    case '$': {
      if (number_of(rest) < 0) return {{"type", "nil"}};
      const auto size = static_cast<std::size_t>(number_of(rest));
      while (buffer_.size() < size + 2) fill();
      std::string value = buffer_.substr(0, size);
      buffer_.erase(0, size + 2);
      return {{"type", "bulk"}, {"value", std::move(value)}};
    }
    case '*': {
      const std::int64_t size = number_of(rest);
      if (size < 0) return {{"type", "nil"}};
      Json items = Json::array();
      for (std::int64_t i = 0; i < size; ++i) items.push_back(reply());
      Json array = {{"type", "array"}};
      array["value"] = std::move(items);
      return array;
    }
    default: throw ConnectionError("an unknown reply: " + head);
  }
}

Json Connection::call(const std::vector<std::string>& words) {
  std::string bytes = fmt::format("*{}\r\n", words.size());
  for (const std::string& word : words) bytes += fmt::format("${}\r\n{}\r\n", word.size(), word);
  send(bytes);
  return reply();
}

}  // namespace slotlab::conform
