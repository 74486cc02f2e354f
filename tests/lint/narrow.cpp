// For clang-tidy --load: the checks look at our own code alone. clang-tidy 14 shows every declaration of every header
// to every check and drops afterwards what it found there: four fifths of its time. clangd narrows the scope the same
// way (clang/AST/ASTContext.h, setTraversalScope).
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <memory>
#include <string>
#include <vector>

namespace {

bool is_ours(const clang::SourceManager& sources, const clang::Decl* declaration) {
  const auto file = sources.getFilename(sources.getExpansionLoc(declaration->getLocation()));
  return file.contains("/agent/");
}

class Narrow : public clang::ASTConsumer {
 public:
  void HandleTranslationUnit(clang::ASTContext& context) override {
    std::vector<clang::Decl*> ours;
    for (auto* declaration : context.getTranslationUnitDecl()->decls())
      if (is_ours(context.getSourceManager(), declaration)) ours.push_back(declaration);
    context.setTraversalScope(ours);
  }
};

class NarrowAction : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Narrow>();
  }
  bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<NarrowAction> registered("narrow", "our own code alone");

}  // namespace
