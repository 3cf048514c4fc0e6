// How texts are carried in the formats that others read.
#pragma once

#include <string>
#include <string_view>

namespace slotlab::sim {

std::string xml_escaped(std::string_view text);   // for element text and attribute values
std::string dot_quoted(std::string_view text);    // with the quotes; line feeds become \l
std::string mermaid_escaped(std::string_view text);  // for message and note texts
std::string json_quoted(std::string_view text);   // with the quotes

}  // namespace slotlab::sim
