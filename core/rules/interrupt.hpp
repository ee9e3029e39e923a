// A check that long loops run now and then, so that whoever started them can end them by throwing (Ctrl-C).
#pragma once

namespace polyversi {

struct InterruptCheck {
    void (*check)() = nullptr;

    void operator()() const {
        if (check) check();
    }
};

}  // namespace polyversi
