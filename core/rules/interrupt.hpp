// A check that long loops run now and then; it throws to end them (Ctrl-C).
#pragma once

namespace polyversi {

struct InterruptCheck {
    void (*check)() = nullptr;

    void operator()() const {
        if (check) check();
    }
};

}  // namespace polyversi
