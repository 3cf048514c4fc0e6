// A client connection to a real server: commands as words, replies as a transcript writes them
// (RESP, version 2). Loopback only.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/conform/json_tree.h"
#include "cli/conform/live/real_time.h"

namespace slotlab::conform {

// The server does not answer: it is gone, or too slow.
class ConnectionError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Connection {
 public:
  // ERRORS: throws ConnectionError if nobody listens at the port.
  Connection(std::uint16_t port, Milliseconds timeout);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // ERRORS: throws ConnectionError if the answer does not come in time, or is none.
  Json call(const std::vector<std::string>& words);

 private:
  void send(const std::string& bytes);
  void fill();
  std::string line();
  Json reply();

  int socket_ = -1;
  std::string buffer_;
};

}  // namespace slotlab::conform
