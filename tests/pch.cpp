// SPDX-License-Identifier: Apache-2.0
// What tests/pch.hpp is precompiled for.
