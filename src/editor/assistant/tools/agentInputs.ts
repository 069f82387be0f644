import { parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { isRecord } from '#base/records/plainValues.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { checkInputs, describeExpected } from '#runs/request/agentCheck.ts';
import type { ToolInput } from './toolInput.ts';

/**
 * Checks the inputs of a call against the agent's variables. Unknown inputs are errors, although the service would ignore them. Throws a
 * {@link Problem} `wrong-input` that lists the errors and the agent's inputs.
 */
export function checkToolInputs({ inputs = {} }: ToolInput, agent: AgentSummary, isKnown: boolean): Record<string, unknown> {
	if (!isRecord(inputs)) {
		throw createInputProblem([vscode.l10n.t("'inputs' isn't an object.")], agent, isKnown);
	}
	const faults = isKnown ? findInputFaults(inputs, agent) : [];
	if (faults.length > 0) {
		throw createInputProblem(faults, agent, isKnown);
	}
	return inputs as Record<string, unknown>;
}

function findInputFaults(inputs: object, agent: AgentSummary): string[] {
	const tree = parseTree(JSON.stringify(inputs));
	const faults = tree ? checkInputs(tree, agent, vscode.l10n.t).map(({ message }) => message) : [];
	for (const { variable, type } of agent.variables) {
		const value = (inputs as Record<string, unknown>)[variable];
		const files = value === undefined || value === null ? [] : type === 'file' ? [value] : type === 'file-list' ? [value].flat() : [];
		if (!files.every(isServiceFile)) {
			const form = '{"type": "document", "transfer_method": "remote_url", "url": "https://…"}';
			faults.push(vscode.l10n.t("'inputs.{0}' isn't a valid file. Expected, for example, {1}.", variable, form));
		}
	}
	return faults;
}

/** True for a remote or uploaded file. Local paths aren't accepted, because a model could name any file. */
function isServiceFile(value: unknown): boolean {
	const { transfer_method: method, url, upload_file_id: id } = (value ?? {}) as Record<string, unknown>;
	return method === 'remote_url' ? typeof url === 'string' && /^https?:\/\//.test(url) : method === 'local_file' && typeof id === 'string';
}

function createInputProblem(faults: readonly string[], agent: AgentSummary, isKnown: boolean): Problem {
	const variables = agent.variables.map(each => {
		const expected = describeExpected(each, vscode.l10n.t);
		return each.required && each.default === undefined
			? vscode.l10n.t({
					message: '{0} ({1}, required)',
					args: [each.variable, expected],
					comment: ['{0} is the name of an input, {1} describes its value'],
				})
			: vscode.l10n.t({
					message: '{0} ({1})',
					args: [each.variable, expected],
					comment: ['{0} is the name of an input, {1} describes its value'],
				});
	});
	const takes =
		variables.length > 0
			? vscode.l10n.t("Inputs of '{0}': {1}.", agent.name, variables.join('; '))
			: isKnown
				? vscode.l10n.t("'{0}' has no inputs.", agent.name)
				: '';
	return new Problem('wrong-input', [...faults.map(fault => fault.replace(/\.?$/, '.')), takes].join(' ').trim());
}
