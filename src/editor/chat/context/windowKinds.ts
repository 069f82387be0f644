import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import type { Runs } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { formatRunProgress } from '../../platform/runWording.ts';
import { requireTrust } from '../../platform/trust.ts';
import { checkFileSize, textByteLimit } from '../attachments/attachments.ts';
import { createRunAttachment, findRunOfArgument } from '../attachments/runAttachment.ts';
import { readChanges } from './gitChanges.ts';
import type { AttachablePart, ContextKind } from './messageContext.ts';
import { formatProblems, type ListedProblem } from './problemList.ts';

/** The problems that VS Code lists, of all files or of one. */
export function createProblemsKind(): ContextKind {
	return {
		id: 'problems',
		icon: 'warning',
		label: vscode.l10n.t('Problems'),
		async read(reference) {
			const uri = reference ? vscode.Uri.parse(reference) : undefined;
			const problems = listProblems(uri);
			const file = uri && vscode.workspace.asRelativePath(uri);
			if (problems.length === 0) {
				throw new Problem(
					'attachment',
					file ? vscode.l10n.t("'{0}' has no problems.", file) : vscode.l10n.t('There are no problems in this workspace.'),
				);
			}
			const name = file ? vscode.l10n.t("Problems in '{0}'", file) : vscode.l10n.t('Problems');
			return createTextPart(name, '', formatProblems(problems));
		},
	};
}

/** Lists the problems of a file, or of all files. */
export function listProblems(only?: vscode.Uri): ListedProblem[] {
	const all: readonly [vscode.Uri, readonly vscode.Diagnostic[]][] = only
		? [[only, vscode.languages.getDiagnostics(only)]]
		: vscode.languages.getDiagnostics();
	return all.flatMap(([uri, diagnostics]) =>
		diagnostics.map(({ range, severity, message, source, code }) => ({
			file: vscode.workspace.asRelativePath(uri),
			line: range.start.line + 1,
			column: range.start.character + 1,
			severity: (['error', 'warning', 'info', 'hint'] as const)[severity] ?? 'error',
			message,
			source,
			code: code === undefined ? undefined : String(typeof code === 'object' ? code.value : code),
		})),
	);
}

/** The text that is selected in the terminal. It's read once, because the selection is lost when the terminal prints more. */
export function createTerminalKind(): ContextKind {
	return {
		id: 'terminal',
		icon: 'terminal',
		label: vscode.l10n.t('Terminal selection'),
		isFixed: true,
		async read() {
			const text = vscode.window.activeTerminal ? await copyTerminalSelection() : '';
			if (text.trim() === '') {
				throw new Problem('attachment', vscode.l10n.t('Nothing is selected in the terminal.'));
			}
			return createTextPart(vscode.l10n.t('Terminal selection'), '', text);
		},
	};
}

/** Returns the selection through the clipboard, whose text it restores, because extensions have no other access to it. */
async function copyTerminalSelection(): Promise<string> {
	const { clipboard } = vscode.env;
	const before = await clipboard.readText();
	if (before) {
		await clipboard.writeText('');
	}
	try {
		await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
		return await clipboard.readText();
	} finally {
		if (before) {
			await clipboard.writeText(before);
		}
	}
}

/** The uncommitted changes of the workspace. */
export function createChangesKind(): ContextKind {
	return {
		id: 'changes',
		icon: 'diff',
		label: vscode.l10n.t('Changes'),
		async read() {
			requireTrust();
			return createTextPart(vscode.l10n.t('Changes'), 'diff', await readChanges());
		},
	};
}

/** The runs in the run history. */
export function createRunKind(runs: Runs, readStory: (key: string) => Promise<RunStory>, connections: Connections): ContextKind {
	return {
		id: 'runs',
		icon: 'run',
		label: vscode.l10n.t('Runs'),
		find: async (query, alone) =>
			query || alone
				? runs
						.list()
						.filter(({ agent }) => agent.toLowerCase().includes(query.toLowerCase()))
						.map(run => ({
							source: `runs:${run.key}`,
							icon: 'run',
							name: run.agent,
							detail: formatRunProgress(run),
							text: run.agent,
						}))
				: [],
		async read(reference) {
			const run = findRunOfArgument(reference, runs);
			return (await createRunAttachment(run, await readStory(run.key), connections)).part;
		},
	};
}

function createTextPart(name: string, language: string, text: string): AttachablePart {
	checkFileSize(vscode.l10n, name, Buffer.byteLength(text), textByteLimit);
	return { kind: 'file', name, language, text };
}
