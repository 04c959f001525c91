// longmul.hpp: very long integers for C++17 and later, over the C library of bigint.h. Header only:
// link with what `pkg-config --libs longmul` says.
//
//   #include <longmul.hpp>
//   using namespace longmul::literals;
//   longmul::integer a = 3_big, b = longmul::pow(a, 1000) + 1;
//   std::cout << std::hex << b % 1000007 << '\n';
//
// Arithmetic is that of built-in integers without overflow: / and % round toward zero, >> rounds
// down, bits are those of the two's complement. Operands mix with built-in integers of up to 64
// bits. docs/cpp.md has an overview and an example.
//
// Contexts. Every thread computes on a context of its own, which it makes at its first operation
// and which ends with it. use_context puts another one in its place, with threads or a memory cap.
// Integers belong to no context: they may pass from thread to thread, and many threads may read
// one.
//
// Errors. std::bad_alloc where memory is out. longmul::error, with the status and the text of
// bigint_ctx_error, where a call of the library fails: division by 0 (BIGINT_EINVAL), results that
// are too large, canceled calls. std::out_of_range from conversions to types that do not hold the
// value, std::invalid_argument from text that is no number. Operands keep their values.
#ifndef LONGMUL_HPP_
#define LONGMUL_HPP_

#include "longmul_context.hpp"
#include "longmul_functions.hpp"
#include "longmul_integer.hpp"
#include "longmul_operators.hpp"
#include "longmul_text.hpp"

#endif  // LONGMUL_HPP_
