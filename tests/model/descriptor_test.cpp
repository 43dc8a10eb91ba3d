// Descriptors.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing pipe = thing(1), table = thing(2);

Action open(std::int64_t room) { return action(Operation::descriptor_open, pipe, room); }
Action in(std::int64_t amount) { return action(Operation::descriptor_read, pipe, amount); }
Action out(std::int64_t amount) { return action(Operation::descriptor_write, pipe, amount); }
Action close() {
    Action made = action(Operation::descriptor_close, pipe);
    made.second = table.id;
    return made;
}

TEST(Descriptor, ReadingWaitsForSomethingToRead) {
    Script s(2);
    s.does(0, open(10));
    EXPECT_BLOCKED(s, 1, in(5));
    EXPECT_EQ(s.does(2, out(3)).result, 3);
    EXPECT_EQ(s.goes_on(1).result, 3);
}

TEST(Descriptor, WritingWaitsForRoom) {
    Script s(2);
    s.does(0, open(4));
    EXPECT_EQ(s.does(1, out(6)).result, 4);
    EXPECT_BLOCKED(s, 1, out(2));
    EXPECT_EQ(s.does(2, in(-1)).result, 4) << "all there is";
    EXPECT_EQ(s.goes_on(1).result, 2);
}

TEST(Descriptor, NonblockingFailsRatherThanWaits) {
    Script s(1);
    s.does(0, open(1));
    EXPECT_EQ(s.does(1, with(in(1), flag::nonblocking)).result, EAGAIN);
    s.does(1, out(1));
    EXPECT_EQ(s.does(1, with(out(1), flag::nonblocking)).effect, Effect::failed);
    EXPECT_EQ(s.does(1, with(in(1), flag::nonblocking)).result, 1);
}

TEST(Descriptor, ReadingEndsOnceItIsClosed) {
    Script s(2);
    s.does(0, open(9));
    s.does(2, out(2));
    EXPECT_EQ(s.does(2, close()).use_count, 2) << "the table of descriptors, too";
    EXPECT_EQ(s.does(1, in(5)).result, 2) << "what was still in it";
    EXPECT_EQ(s.does(1, in(5)).result, 0);
}

TEST(Descriptor, TimedReadLapses) {
    Script s(1);
    s.does(0, open(1));
    EXPECT_EQ(s.does(1, timed(in(1), 5)).effect, Effect::timed_out);
}

TEST(Descriptor, AmountsOfTheOutsideAreTold) {
    Script s(1);
    s.machine.set_descriptor(s.machine.object_slot(pipe.id), 0, 0);
    EXPECT_BLOCKED(s, 1, with(in(8), flag::contents_unknown));
    s.machine.set_descriptor(s.machine.object_slot(pipe.id), 5, 0);
    EXPECT_EQ(s.goes_on(1).result, 5);
    EXPECT_EQ(s.does(1, with(in(8), flag::contents_unknown)).result, 5) << "only the outside changes them";
    s.machine.set_descriptor(s.machine.object_slot(pipe.id), 0, 0);
    EXPECT_BLOCKED(s, 1, with(in(8), flag::contents_unknown));
}

TEST(Descriptor, CancelledWhileItWaits) {
    Script s(1);
    s.does(0, open(1));
    EXPECT_BLOCKED(s, 1, cancellable(in(1)));
    s.does(0, s.cancel(1));
    EXPECT_TRUE(s.goes_on(1).cancels);
}

}  // namespace
}  // namespace raddle::testing
