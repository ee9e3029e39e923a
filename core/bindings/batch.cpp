#include "bindings/bindings.hpp"

namespace polyversi::bindings {
void bind_batch(nb::module_&) {}
}
