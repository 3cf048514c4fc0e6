/* Two-phase commit after Gray and Lamport with N resource managers, for SPIN: the same state graph
   as models/textbook/two_phase_commit.cc, so that the speed of both checkers can be compared in one
   run on one machine. Messages are a set, so each is one bit: who has sent Prepared, and whether
   Commit or Abort was sent. One process takes every step as one atomic transition.
   A message may be received again and then changes nothing, which counts as a transition.
   States: 2^N + 4^N + 6^N. */
#ifndef N
#define N 3
#endif

#define WORKING 0
#define PREPARED 1
#define COMMITTED 2
#define ABORTED 3

byte rm[N];            /* what each resource manager is in */
byte tm = 0;           /* the transaction manager: 0 init, 1 committed, 2 aborted */
bool heard[N];         /* the transaction manager has received this one's Prepared */
bool sent_prepared[N];
bool sent_commit = false;
bool sent_abort = false;
byte heard_count = 0;  /* follows from heard[], so it adds no states */

#define ALL_HEARD (heard_count == N)

#define STEPS(i) \
  :: atomic { tm == 0 && sent_prepared[i] -> \
              heard_count = heard_count + 1 - heard[i]; heard[i] = true } \
  :: atomic { rm[i] == WORKING -> rm[i] = PREPARED; sent_prepared[i] = true } \
  :: atomic { rm[i] == WORKING -> rm[i] = ABORTED } \
  :: atomic { sent_commit -> rm[i] = COMMITTED } \
  :: atomic { sent_abort -> rm[i] = ABORTED }

active proctype system() {
  do
  :: atomic { tm == 0 && ALL_HEARD -> tm = 1; sent_commit = true }
  :: atomic { tm == 0 -> tm = 2; sent_abort = true }
  STEPS(0)
#if N > 1
  STEPS(1)
#endif
#if N > 2
  STEPS(2)
#endif
#if N > 3
  STEPS(3)
#endif
#if N > 4
  STEPS(4)
#endif
#if N > 5
  STEPS(5)
#endif
#if N > 6
  STEPS(6)
#endif
#if N > 7
  STEPS(7)
#endif
#if N > 8
  STEPS(8)
#endif
#if N > 9
  STEPS(9)
#endif
  od
}
