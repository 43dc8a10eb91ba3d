#include "supervisor/binary/decode/nondeterministic_code.h"

#include <Zydis/Zydis.h>

namespace raddle::code {

namespace {

bool is_unruled(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_RDTSC:
        case ZYDIS_MNEMONIC_RDTSCP:
        case ZYDIS_MNEMONIC_RDRAND:
        case ZYDIS_MNEMONIC_RDSEED:
        case ZYDIS_MNEMONIC_RDPMC: return true;
        default: return false;
    }
}

}  // namespace

std::vector<NondeterministicInstruction> nondeterministic_instructions(const ElfCode& elf) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    std::vector<NondeterministicInstruction> found;
    for (const Range& function : elf.functions()) {
        std::span<const std::uint8_t> bytes = elf.bytes(function);
        for (std::uint64_t address = function.begin; !bytes.empty();) {
            ZydisDecodedInstruction it;
            if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, nullptr, bytes.data(), bytes.size(), &it))) break;
            if (is_unruled(it.mnemonic)) found.push_back({address, ZydisMnemonicGetString(it.mnemonic)});
            address += it.length;
            bytes = bytes.subspan(it.length);
        }
    }
    return found;
}

}  // namespace raddle::code
