// Values and enums that extensions pass to the editor, with the fields that tests read.

import { createFieldsClass } from './fields.ts';
import { Position, Range } from './texts.ts';

export class ThemeColor extends createFieldsClass<{ readonly id: string }>('id') {}

export class ThemeIcon extends createFieldsClass<{ readonly id: string; readonly color: ThemeColor | undefined }>('id', 'color') {
	static readonly File = new ThemeIcon('file');
	static readonly Folder = new ThemeIcon('folder');
}

export class TreeItem extends createFieldsClass<{ readonly label: unknown; readonly collapsibleState: number }>(
	'label',
	'collapsibleState',
) {
	constructor(label: unknown, collapsibleState: number = TreeItemCollapsibleState.None) {
		super(label, collapsibleState);
	}
}

export class MarkdownString {
	value: string;
	isTrusted: boolean | undefined;

	constructor(value = '') {
		this.value = value;
	}
	appendMarkdown(value: string): this {
		this.value += value;
		return this;
	}
}

export class DocumentLink extends createFieldsClass<{ readonly range: unknown; readonly target: unknown }>('range', 'target') {}

export class TestMessage extends createFieldsClass<{ readonly message: string }>('message') {}

export class InlayHint extends createFieldsClass<{ readonly position: unknown; readonly label: unknown }>('position', 'label') {}
export class InlayHintLabelPart extends createFieldsClass<{ readonly value: string }>('value') {}
export class CodeAction extends createFieldsClass<{ readonly title: string; readonly kind: unknown }>('title', 'kind') {}
export class CodeLens extends createFieldsClass<{ readonly range: unknown; readonly command: unknown }>('range', 'command') {}

type DiagnosticFields = { readonly range: unknown; readonly message: string; readonly severity: number };
export class Diagnostic extends createFieldsClass<DiagnosticFields>('range', 'message', 'severity') {
	constructor(range: unknown, message: string, severity: number = DiagnosticSeverity.Error) {
		super(range, message, severity);
	}
}

export class WorkspaceEdit {
	readonly replaced: { readonly uri: unknown; readonly range: unknown; readonly text: string }[] = [];

	replace(uri: unknown, range: unknown, text: string): void {
		this.replaced.push({ uri, range, text });
	}
}

/** File errors, with the editor's codes. */
export class FileSystemError extends Error {
	readonly code: string;

	constructor(message: unknown, code = 'Unknown') {
		super(String(message));
		this.code = code;
	}
	static FileNotFound(of?: unknown): FileSystemError {
		return new FileSystemError(of ?? '', 'FileNotFound');
	}
	static NoPermissions(of?: unknown): FileSystemError {
		return new FileSystemError(of ?? '', 'NoPermissions');
	}
}

export class RelativePattern extends createFieldsClass<{ readonly base: unknown; readonly pattern: string }>('base', 'pattern') {}

export class Location extends createFieldsClass<{ readonly uri: unknown; readonly range: unknown }>('uri', 'range') {
	constructor(uri: unknown, place: Position | Range) {
		super(uri, place instanceof Position ? new Range(place, place) : place);
	}
}

export class SourceBreakpoint extends createFieldsClass<{ readonly location: Location; readonly enabled: boolean }>('location', 'enabled') {
	constructor(location: Location, enabled = true) {
		super(location, enabled);
	}
}

export const CodeActionKind = { QuickFix: { value: 'quickfix' } } as const;
export const CompletionItemKind = {
	Variable: 5,
	Module: 8,
	Property: 9,
	Value: 11,
	File: 16,
	Reference: 17,
	Folder: 18,
	EnumMember: 19,
} as const;
export const DiagnosticTag = { Unnecessary: 1 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 } as const;
export const SymbolKind = { Namespace: 2, Function: 11, Variable: 12, Array: 17 } as const;
export const FilePermission = { Readonly: 1 } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 } as const;
export const OverviewRulerLane = { Full: 7 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2 } as const;
export const ViewColumn = { Active: -1, Beside: -2, One: 1 } as const;
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 } as const;
