// devices.h: the devices of the emulated runtime, their memory, and who may touch whose. Includes
// the C++ library only.
//
// There is one device unless a test asks for more. With several, every allocation belongs to one of
// them, and its pages can be touched only while that device, or one that was granted access, runs a
// kernel or a copy. Any other access, the host's among them, ends the process with a message that
// names both sides. One device's memory comes from malloc, so that AddressSanitizer guards it.
#ifndef PRIMITIVES_EMULATION_DEVICES_H_
#define PRIMITIVES_EMULATION_DEVICES_H_

#include <cstddef>

namespace emulation {

constexpr int kMaxDevices = 16;
// In place of a device: the host, which may touch no device memory, and copies between devices,
// which may touch all.
constexpr int kHost = -1, kAnyDevice = -2;

// Devices sets how many there are, 1 .. kMaxDevices, and takes back every access that was granted.
// No memory may be allocated then, and no stream exist.
void Devices(int count);
int DeviceCount();

// The calling thread's current device.
int CurrentDevice();
void SetCurrentDevice(int device);

// --- Memory --------------------------------------------------------------------------------------
// The runtime grants access to what pools allocate by a call of its own.
enum Memory { kPlain, kPool, kMemories };

// NewMemory and NewHostMemory return memory aligned to 256 bytes and filled with a pattern, or
// nullptr. FreeMemory takes both.
void *NewMemory(Memory kind, int device, size_t bytes);
void *NewHostMemory(size_t bytes);
void FreeMemory(void *p);
// Whether p lies in memory of that device. With one device, all memory may be its own.
bool Owns(int device, const void *p);
// Grant lets a device touch another's memory of that kind; false if it may already.
bool Grant(Memory kind, int owner, int device);

// --- Threads -------------------------------------------------------------------------------------
// Several threads may call the runtime: one is in it at a time. Nests.
class Locked {
   public:
    Locked();
    ~Locked();
    Locked(const Locked &) = delete;
    Locked &operator=(const Locked &) = delete;
};

// While it lives, the calling thread touches memory as that device does. Nests.
class Acting {
   public:
    explicit Acting(int device);
    ~Acting();
    Acting(const Acting &) = delete;
    Acting &operator=(const Acting &) = delete;

   private:
    const Locked locked_;
    const int before_;
};

}  // namespace emulation

#endif  // PRIMITIVES_EMULATION_DEVICES_H_
