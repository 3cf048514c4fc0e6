// One real server process on a loopback port: started in a folder of its own, killed, stopped and
// continued by its process id, and gone with this object. Its kernel ends it too, should slotlab
// die.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/conform/live/connection.h"

namespace slotlab::conform {

// What a server binary says it is.
struct ServerVersion {
  std::string text;        // "redis 7.0.15"
  bool valkey = false;
  int major = 0, minor = 0;
};
// ERRORS: throws cli::InputError if `binary` cannot be run or does not say.
ServerVersion version_of(const std::string& binary);

// Ports that are free now, each with the bus port 10000 above it.
// ERRORS: throws cli::InputError if there are not enough.
std::vector<std::uint16_t> free_ports(std::size_t count);

class Server {
 public:
  // `folder` exists and holds server.conf.
  Server(std::string binary, std::filesystem::path folder, std::uint16_t port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }
  bool running() const { return pid_ > 0; }
  bool paused() const { return paused_; }
  bool live() const { return running() && !paused_; }

  // Starts the process and waits until it answers.
  // ERRORS: throws cli::InputError if it ends by itself or does not answer for 15 s.
  void start();
  void kill();      // without warning; connections are closed
  void pause();
  void resume();

  // Over a connection of the given name, opened when it is first used.
  // ERRORS: throws ConnectionError.
  Json call(const std::string& connection, const std::vector<std::string>& words);
  // Over a connection of the runner's own.
  Json ask(const std::vector<std::string>& words);

 private:
  bool has_ended();
  std::string binary_;
  std::filesystem::path folder_;
  std::uint16_t port_;
  pid_t pid_ = 0;
  bool paused_ = false;
  std::map<std::string, std::unique_ptr<Connection>> connections_;
};

}  // namespace slotlab::conform
