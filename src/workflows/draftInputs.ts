import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';
import type { Connection } from '../connections/connectionTypes.ts';
import type { AgentSummary, AgentVariable } from '../protocol/agents.ts';
import type { WorkflowRunRequest } from '../protocol/workflows.ts';
import { expectedOf } from './agentCheck.ts';
import type { RunFileService } from './runFileService.ts';

/** What a draft is run with. */
export interface DraftInputs {
	readonly request: WorkflowRunRequest;
	/** Run file that the inputs come from. */
	readonly file?: vscode.Uri;
}

/** Inputs for a draft run: none where the agent takes none, else those of a run file of the agent, or values that the user types. */
export async function chooseDraftInputs(
	agent: AgentSummary,
	connection: Connection,
	runFiles: RunFileService,
): Promise<DraftInputs | undefined> {
	const empty: WorkflowRunRequest = { model: agent.name, inputs: {}, response_mode: 'streaming', user: connection.user };
	if (agent.variables.length === 0) {
		return { request: empty };
	}
	const files = await runFilesOf(agent.name, runFiles);
	if (files.length === 0) {
		return typed(agent, empty);
	}
	const enter = { label: vscode.l10n.t('Enter values…'), iconPath: new vscode.ThemeIcon('edit') };
	const items = files.map(file => ({ label: path.posix.basename(file.path), iconPath: new vscode.ThemeIcon('json'), file }));
	const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { file?: vscode.Uri }>([...items, enter], {
		title: vscode.l10n.t('Run draft of {0}', agent.name),
		placeHolder: vscode.l10n.t('Inputs of the run'),
	});
	if (!picked?.file) {
		return picked && typed(agent, empty);
	}
	const document = await vscode.workspace.openTextDocument(picked.file);
	const { request, faults } = await runFiles.read(document, undefined, [agent]);
	if (!request) {
		const sentence = vscode.l10n.t('{0}: {1}. Nothing was sent.', path.posix.basename(picked.file.path), faults[0]?.message ?? '');
		throw new Problem('wrong-run-file', sentence);
	}
	return { request: { ...request, response_mode: 'streaming' }, file: picked.file };
}

async function runFilesOf(agent: string, runFiles: RunFileService): Promise<vscode.Uri[]> {
	const found = await vscode.workspace.findFiles('**/*.run.json', '**/{node_modules,.git}/**', 500);
	const named = await Promise.all(
		found.map(async uri => {
			const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
			return runFiles.parse(text).agent === agent ? [uri] : [];
		}),
	);
	return named.flat().sort((a, b) => a.path.localeCompare(b.path));
}

async function typed(agent: AgentSummary, empty: WorkflowRunRequest): Promise<DraftInputs | undefined> {
	const inputs: Record<string, unknown> = {};
	for (const variable of agent.variables) {
		const answer = await ask(agent, variable);
		if (answer === undefined) {
			return undefined;
		}
		if (answer !== '') {
			inputs[variable.variable] = variable.type === 'number' ? Number(answer) : variable.type === 'checkbox' ? answer === 'true' : answer;
		}
	}
	return { request: { ...empty, inputs } };
}

async function ask(agent: AgentSummary, variable: AgentVariable): Promise<string | undefined> {
	const title = variable.label || variable.variable;
	const choices = variable.type === 'select' ? variable.options : variable.type === 'checkbox' ? ['true', 'false'] : undefined;
	if (choices) {
		const items = choices.map(label => ({ label }));
		return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.label;
	}
	const expected = expectedOf(variable, vscode.l10n.t);
	return vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('“{0}” of {1}: {2}', variable.variable, agent.name, expected),
		value: typeof variable.default === 'string' || typeof variable.default === 'number' ? String(variable.default) : '',
		ignoreFocusOut: true,
		validateInput: text =>
			(variable.required && text === '') || (variable.type === 'number' && text !== '' && !Number.isFinite(Number(text)))
				? vscode.l10n.t('Expected {0}', expected)
				: undefined,
	});
}
