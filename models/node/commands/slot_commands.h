// Commands that bind and unbind slots at this node alone: no epoch, no check with anybody, no
// broadcast. What others make of it is decided when they next hear a header.
#pragma once

#include "models/node/words.h"

namespace slotlab::node {

// ADDSLOTS and DELSLOTS slot... ; words checked for number already.
Reply add_slots(Context& context, const Words& words);
Reply del_slots(Context& context, const Words& words);
// ADDSLOTSRANGE and DELSLOTSRANGE first last [first last]...
Reply add_slots_range(Context& context, const Words& words);
Reply del_slots_range(Context& context, const Words& words);
Reply flush_slots(Context& context);

Reply count_keys_in_slot(Context& context, const Words& words);
Reply get_keys_in_slot(Context& context, const Words& words);
Reply key_slot_of(const Words& words);

}  // namespace slotlab::node
