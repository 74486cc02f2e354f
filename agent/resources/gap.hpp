// SPDX-License-Identifier: Apache-2.0
// How a resource differs from what is wanted, and what may be looked at to tell.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resources/state.hpp"

namespace rdmastate {

struct Facts;
struct Loss;
class Snapshot;

/// What a pending difference waits for. A plan decides by `reboot` alone (Plan::needs_reboot()); the others are told to
/// programs, as pending_until.
enum class Until : std::uint8_t {
  reboot,    ///< the next boot, or a change by hand that cuts off as much
  unit,      ///< a unit has to be unmasked, or to start, stop or read its files again
  owner,     ///< another program makes it: NetworkManager, or what builds a tree's initrd
  package,   ///< something is not installed
  hardware,  ///< a device or interface is not there
  account,   ///< a user is not there
};
template <>
struct Names<Until> {
  static constexpr std::string_view wanted = "reboot, unit, owner, package, hardware or account";
  static constexpr std::array table{Name<Until>{Until::reboot, "reboot"},     Name<Until>{Until::unit, "unit"},
                                    Name<Until>{Until::owner, "owner"},       Name<Until>{Until::package, "package"},
                                    Name<Until>{Until::hardware, "hardware"}, Name<Until>{Until::account, "account"}};
};

/// A part of a difference that rdmastate cannot remove now. What it waits for either removes it or lets a later apply
/// do so.
struct Pending {
  std::string sentence = {};    ///< what waits and until when
  Until until = Until::reboot;  ///< means nothing while `sentence` is empty
  bool empty() const { return sentence.empty(); }
  bool operator==(const Pending&) const = default;
};

/// How a wanted resource differs from the observed one. At most one step (`move`); beside it there may be a part that
/// has to wait. All empty: it is as wanted.
struct Gap {
  struct Move {
    std::optional<State> from;  ///< nullopt: absent
    std::optional<State> to;    ///< nullopt: absent; otherwise whole: `from` with the wanted fields laid over
  };
  std::optional<Move> move = {};
  Pending pending = {};      ///< what waits
  std::string blocked = {};  ///< a sentence with cause and fix
  /// `blocked` is for good: these fields of the wanted state, or all of it where the list is empty. So nothing that
  /// asks for them is written for the next boot either. nullopt: what is missing now may come.
  std::optional<std::vector<std::string_view>> never = {};
  /// What `blocked` or `pending` misses is hardware that the host may only not have yet, as an adapter at boot: `apply
  /// --wait` waits for it.
  bool comes_late = false;
  /// Something of another type stands in this place: resources that need this one cannot use it.
  bool is_in_the_way = false;
  std::string after = {};    ///< "module ib_ipoib": can only be planned once that step is done
  bool comes_along = false;  ///< that step makes it as wanted, so that it becomes no step of its own
  std::string unseen = {};   ///< a sentence: this user may not look, so nothing is known and nothing planned

  bool in_sync() const { return !move && pending.empty() && blocked.empty() && after.empty() && unseen.empty(); }
};

/// What is wanted of one kind, by key: a state, or nullopt for what is to go.
using WantedOfKind = std::map<std::string, std::optional<State>>;

/// What a kind may ask of the plan that its resource is part of. This base class answers as a plan without other
/// resources.
class Intent {
 public:
  virtual ~Intent() = default;
  /// What the plan wants of this kind, by the key that Kind::resolve gives. A resource that is not in it is left as it
  /// is.
  virtual const WantedOfKind& wanted(const Kind& kind) const;
  /// The digest of the state that an earlier apply moved the resource to, so that a value that the kernel did not keep
  /// is not set again and again; empty: no apply did.
  virtual std::string_view moved_to(const Kind& kind, const std::string& key) const;

  /// A sentence: why this run may not cause this loss, so that a change that can also come with the next boot waits for
  /// it. Empty: it may, or the step itself is refused.
  virtual std::string why_kept(const Loss& loss) const;

  /// Whether the user said (--restart) that this unit may be restarted now, whatever else a run may disturb.
  virtual bool may_restart(const std::string& unit) const;

  /// What a kind works out once for all its resources in this plan, such as what one reload does to each: `make` is
  /// called at the first question. A kind asks for one type T alone.
  template <class T, class Make>
  std::shared_ptr<const T> once(const Kind& kind, Make&& make) const {
    std::shared_ptr<const void>* place = place_for(kind);
    if (place == nullptr) return std::make_shared<const T>(make());
    if (!*place) *place = std::make_shared<const T>(make());
    return std::static_pointer_cast<const T>(*place);
  }

  /// What wanted(kind) has of one resource; nullptr: it is left as it is.
  const std::optional<State>* wanted(const Kind& kind, const std::string& key) const;

  /// The intent that knows of no other resource: a constant.
  static const Intent& none();

 private:
  /// Where once() keeps what it made for this kind; nullptr: it is made anew for each question.
  virtual std::shared_ptr<const void>* place_for(const Kind& kind) const;
};

/// What gap() and warn() may look at beside the resource itself.
struct Scene {
  const Facts& facts;
  const Snapshot& snapshot;
  const Intent& plan = Intent::none();  ///< what is wanted of other resources, and what this run may do
};

}  // namespace rdmastate
