import path from 'node:path';
import type * as vscode from 'vscode';
import { ignoreEvents } from './events.ts';
import { Uri } from './uri.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const extension = { id: 'agent-workbench.agent-workbench', extensionPath: root, extensionUri: Uri.file(root) };

/** Shows no dialogs: tests that answer dialogs replace these functions (test/support/editor/answers.ts). */
export const window = {
	activeTextEditor: undefined,
	onDidChangeActiveTextEditor: ignoreEvents,
	visibleTextEditors: [],
	onDidChangeVisibleTextEditors: ignoreEvents,
	createTextEditorDecorationType: () => ({ dispose() {} }),
	state: { focused: true, active: true },
	onDidChangeWindowState: ignoreEvents,
	showErrorMessage: async () => undefined,
	showInformationMessage: async () => undefined,
	showWarningMessage: async () => undefined,
	showTextDocument: async () => undefined,
	setStatusBarMessage: () => ({ dispose() {} }),
	createStatusBarItem: () => ({ show() {}, hide() {}, dispose() {} }),
	createOutputChannel: (name: string) => {
		const doNothing = (): void => {};
		const lines = {
			append: doNothing,
			appendLine: doNothing,
			clear: doNothing,
			trace: doNothing,
			debug: doNothing,
			info: doNothing,
			warn: doNothing,
			error: doNothing,
		};
		return { name, ...lines, show: doNothing, dispose: doNothing };
	},
	withProgress: <T>(_options: vscode.ProgressOptions, task: (progress: object, token: object) => T): T =>
		task({ report() {} }, { isCancellationRequested: false, onCancellationRequested: ignoreEvents }),
};

export const commands = { executeCommand: async () => undefined };

export const env = { language: 'en', clipboard: { readText: async () => '', writeText: async () => {} }, openExternal: async () => true };

/** No tools, which tests replace. */
export const lm = { tools: [] as vscode.LanguageModelToolInformation[] };

/** No debug sessions. */
export const debug = { breakpoints: [], onDidChangeBreakpoints: ignoreEvents };

export const extensions = { all: [], getExtension: (id: string) => (id === extension.id ? extension : undefined) };

export const languages = {
	createDiagnosticCollection: (name: string) => ({ name, set() {}, delete() {}, clear() {}, dispose() {} }),
	/** Replaced by tests that need problems. */
	getDiagnostics: (_uri: vscode.Uri): vscode.Diagnostic[] => [],
	setTextDocumentLanguage: async (document: vscode.TextDocument) => document,
	registerCodeLensProvider: () => ({ dispose() {} }),
	registerInlayHintsProvider: () => ({ dispose() {} }),
};

type MessageOptions = { message: string; args?: (string | number | boolean)[] };

/** Returns English messages with arguments filled in. */
export const l10n = {
	t: (given: string | MessageOptions, ...rest: (string | number | boolean)[]) => {
		const { message, args = [] } = typeof given === 'string' ? { message: given, args: rest } : given;
		const [first] = args;
		const named = typeof first === 'object' ? (first as Record<string, string>) : Object.fromEntries(args.entries());
		return message.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(named[name] ?? whole));
	},
};
