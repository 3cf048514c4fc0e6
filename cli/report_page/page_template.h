// The page without data, as text. It is made at build time from the files in web/, by
// embed_page.cmake, so that the program needs no file beside itself.
#pragma once

#include <string_view>

namespace slotlab::cli {

// HTML with style and script in it; the word SLOTLAB_DATA stands where the data goes.
std::string_view page_template();

}  // namespace slotlab::cli
