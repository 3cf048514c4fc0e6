// CRC16 bit by bit: keys are few and short here, so a table of 256 values would earn nothing.
#include "models/protocol/key_slot.h"

namespace slotlab::protocol {

std::uint16_t crc16(std::string_view bytes) {
  unsigned crc = 0;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(byte)) << 8;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
    }
    crc &= 0xffff;
  }
  return static_cast<std::uint16_t>(crc);
}

std::string_view hash_tag(std::string_view key) {
  const auto open = key.find('{');
  if (open == std::string_view::npos) return key;
  const auto close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

Slot key_slot(std::string_view key) {
  return static_cast<Slot>(crc16(hash_tag(key)) & (kSlots - 1));
}

}  // namespace slotlab::protocol
