// A stand-in for the parts of the editor's API that tests of plain logic use. It doesn't render, watch, edit or prompt; missing parts are
// `undefined`. Tests that need an editor belong in test/host.
// biome-ignore-all lint/performance/noBarrelFile: it replaces a module that is a barrel file
export { commands, debug, env, extensions, l10n, languages, lm, window } from './editor.ts';
export { CancellationError, CancellationTokenSource, Disposable, EventEmitter } from './events.ts';
export {
	LanguageModelDataPart,
	LanguageModelError,
	LanguageModelPromptTsxPart,
	LanguageModelTextPart,
	LanguageModelThinkingPart,
	LanguageModelToolCallPart,
	LanguageModelToolResult,
	LanguageModelToolResultPart,
	roles as LanguageModelChatMessageRole,
	toolModes as LanguageModelChatToolMode,
} from './languageModels.ts';
export { configurationTarget as ConfigurationTarget } from './settings.ts';
export { Position, Range } from './texts.ts';
export { Uri } from './uri.ts';
export {
	CodeAction,
	CodeActionKind,
	CodeLens,
	ColorThemeKind,
	CompletionItemKind,
	Diagnostic,
	DiagnosticSeverity,
	DiagnosticTag,
	DocumentLink,
	FileChangeType,
	FilePermission,
	FileSystemError,
	FileType,
	InlayHint,
	InlayHintLabelPart,
	InputBoxValidationSeverity,
	Location,
	MarkdownString,
	OverviewRulerLane,
	ProgressLocation,
	QuickPickItemKind,
	RelativePattern,
	SourceBreakpoint,
	StatusBarAlignment,
	SymbolKind,
	TestMessage,
	TextDocumentChangeReason,
	TextEditorRevealType,
	ThemeColor,
	ThemeIcon,
	TreeItem,
	TreeItemCollapsibleState,
	ViewColumn,
	WorkspaceEdit,
} from './values.ts';
export { workspace } from './workspace.ts';
