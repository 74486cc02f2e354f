// SPDX-License-Identifier: Apache-2.0
// An empty source: CMake precompiles a header only for a target that has a source. Up to four targets compile this one,
// with pch.hpp (twice where hot rooms have options of their own), pch_host.hpp and pch_model.hpp, and the rooms reuse
// what they precompile.
