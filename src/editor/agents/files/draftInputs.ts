import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { FileObject, WorkflowRunRequest } from '#contract/workflows.ts';
import { describeExpected } from '#runs/request/agentCheck.ts';
import type { FilledRequest, Secrets } from '#runs/request/secrets.ts';
import { formatTypedText, parseTypedValue } from '#runs/request/typedValue.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import { findRunFiles, readAgentsOfRunFiles } from '../../runs/files/runFileSearch.ts';
import type { RunFileService } from '../../runs/files/runFileService.ts';

/** Inputs of a draft run. */
export interface DraftInputs {
	readonly request: WorkflowRunRequest;
	/** Secret values in the request, which are never stored. */
	readonly secrets: Secrets;
	/** URI of the run file with the inputs. */
	readonly file?: string | undefined;
	/** Key of the earlier run that had the same inputs. */
	readonly repeats?: string;
}

/** Inputs of the agent's last draft run. */
export interface LastInputs {
	readonly record: RunRecord;
	/** The request with placeholders instead of secrets. */
	readonly request: WorkflowRunRequest;
	/** Returns the request with its secrets. Rejects if the user doesn't enter one of them. */
	readonly refill: () => Promise<FilledRequest>;
}

/** Maximum length of a preview of inputs, in UTF-16 units. */
const longestPreview = 80;

/**
 * Lets the user choose the inputs of a draft run: the last inputs, those of a run file, or new values. Doesn't ask if the agent has no
 * inputs. Resolves to `undefined` if the user cancels or chooses the form. In that case `openForm` opens the form, which starts the run
 * itself.
 */
export async function chooseDraftInputs(
	agent: AgentSummary,
	connection: Connection,
	runFiles: RunFileService,
	last: LastInputs | undefined,
	openForm: () => Promise<void>,
): Promise<DraftInputs | undefined> {
	const empty: WorkflowRunRequest = { model: agent.name, inputs: {}, response_mode: 'streaming', user: connection.user };
	if (agent.variables.length === 0) {
		return { request: empty, secrets: new Map(), ...(last ? { repeats: last.record.key } : {}) };
	}
	const files = await findAgentRunFiles(agent.name);
	if (files.length === 0 && !last) {
		return askForAllInputs(agent, connection, empty, runFiles);
	}
	const form = { label: vscode.l10n.t('Fill in a form…'), iconPath: new vscode.ThemeIcon('list-flat') };
	const enter = { label: vscode.l10n.t('Enter inputs…'), iconPath: new vscode.ThemeIcon('edit') };
	const lastInputs: InputsItem = {
		label: vscode.l10n.t('Use last inputs'),
		description: last ? formatInputsPreview(last.request.inputs) : '',
		iconPath: new vscode.ThemeIcon('history'),
	};
	const items: InputsItem[] = files.map(file => ({ label: path.posix.basename(file.path), iconPath: new vscode.ThemeIcon('json'), file }));
	const picked = await vscode.window.showQuickPick<InputsItem>([...(last ? [lastInputs] : []), ...items, enter, form], {
		title: vscode.l10n.t("Run Draft of '{0}'", agent.name),
		placeHolder: vscode.l10n.t('Select the inputs'),
	});
	if (last && picked === lastInputs) {
		const { record } = last;
		return { ...(await last.refill()), file: record.file, repeats: record.key };
	}
	if (picked === form) {
		await openForm();
		return undefined;
	}
	if (!picked?.file) {
		return picked && askForAllInputs(agent, connection, empty, runFiles);
	}
	const document = await vscode.workspace.openTextDocument(picked.file);
	const { request, faults, secrets } = await runFiles.readRunFile(document, undefined, [agent]);
	if (!request) {
		const message = vscode.l10n.t("Couldn't use '{0}' as input: {1}", path.posix.basename(picked.file.path), faults[0]?.message ?? '');
		throw new Problem('wrong-run-file', message);
	}
	return { request: { ...request, response_mode: 'streaming' }, secrets, file: picked.file.toString() };
}

interface InputsItem extends vscode.QuickPickItem {
	readonly file?: vscode.Uri;
}

/** Formats inputs on one line. */
function formatInputsPreview(inputs: WorkflowRunRequest['inputs']): string {
	const text = Object.entries(inputs).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
	return toOneLine(text.join(' · '), longestPreview);
}

async function findAgentRunFiles(agent: string): Promise<vscode.Uri[]> {
	return (await readAgentsOfRunFiles(await findRunFiles())).flatMap(([file, named]) => (named === agent ? [file] : []));
}

async function askForAllInputs(
	agent: AgentSummary,
	connection: Connection,
	request: WorkflowRunRequest,
	runFiles: RunFileService,
): Promise<DraftInputs | undefined> {
	const inputs: Record<string, unknown> = {};
	for (const variable of agent.variables) {
		const answer = await askForInput(agent, variable, file => runFiles.uploadFile(connection, file, agent.name));
		if (!answer) {
			return undefined;
		}
		if (answer.value !== undefined) {
			inputs[variable.variable] = answer.value;
		}
	}
	return { request: { ...request, inputs }, secrets: new Map() };
}

/** Asks for the value of a variable. `value` is undefined if the user skips the variable. Resolves to `undefined` if the user cancels. */
async function askForInput(
	agent: AgentSummary,
	variable: AgentVariable,
	upload: (file: vscode.Uri) => Promise<FileObject>,
): Promise<{ readonly value: unknown } | undefined> {
	const title = variable.label || variable.variable;
	if (variable.type === 'file' || variable.type === 'file-list') {
		const many = variable.type === 'file-list';
		const chosen = await vscode.window.showOpenDialog({
			title,
			canSelectMany: many,
			openLabel: vscode.l10n.t({ message: 'Use', comment: ['verb: button that uses the chosen file as input'] }),
		});
		if (!chosen) {
			return variable.required ? undefined : { value: undefined };
		}
		const files = await Promise.all(chosen.map(upload));
		return { value: many ? files : files[0] };
	}
	const choices = variable.type === 'select' ? variable.options : variable.type === 'checkbox' ? ['true', 'false'] : undefined;
	const expected = describeExpected(variable, vscode.l10n.t);
	const text = choices
		? (
				await vscode.window.showQuickPick(
					choices.map(label => ({ label })),
					{ title, ignoreFocusOut: true },
				)
			)?.label
		: await vscode.window.showInputBox({
				title,
				prompt: escapeLinks(vscode.l10n.t("Value of '{0}' for '{1}'. Expected {2}.", variable.variable, agent.name, expected)),
				value: formatTypedText(variable.default),
				ignoreFocusOut: true,
				validateInput: given =>
					parseTypedValue(variable, given) === 'wrong'
						? vscode.l10n.t({ message: 'Expected {0}.', args: [expected], comment: ["{0} describes a value, such as 'a number'"] })
						: undefined,
			});
	const value = text === undefined ? 'wrong' : parseTypedValue(variable, text);
	return value === 'wrong' ? undefined : value;
}
