// SPDX-License-Identifier: Apache-2.0
// What the headers beside it are precompiled for.
