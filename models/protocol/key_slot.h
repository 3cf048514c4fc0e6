// Which slot a key belongs to. The rule is the same for servers and clients, so it lives with the
// words that both share.
#pragma once

#include <string_view>

#include "models/protocol/words.h"

namespace slotlab::protocol {

// CRC16 in its XMODEM variant (polynomial 0x1021, start value 0, no reflection).
std::uint16_t crc16(std::string_view bytes);

// The part of a key that is hashed: what stands between the first '{' and the next '}' after it, if
// that is not empty; else the whole key.
std::string_view hash_tag(std::string_view key);

// The key's slot, 0..16383. SOURCE: Redis 7.0.15, keyHashSlot in src/cluster.c.
Slot key_slot(std::string_view key);

}  // namespace slotlab::protocol
