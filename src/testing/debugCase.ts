import { getNodeValue } from 'jsonc-parser';
import * as vscode from 'vscode';
import { debugType } from '../common/names.ts';
import { Problem } from '../common/problems.ts';
import type { Suite, SuiteCase } from '../suites/suite.ts';

/** Debugs a case: the run file that it is, else its request, with what stands in for nodes. */
export async function debugCase(suite: Suite, ordinal: number): Promise<void> {
	const found = suite.cases.find(each => each.ordinal === ordinal);
	if (!found) {
		throw new Problem('no-case', vscode.l10n.t('A row of a dataset cannot be debugged: make a case of it, or a run file.'));
	}
	const { target } = found;
	if (target.kind !== 'agent') {
		throw new Problem('no-agent', vscode.l10n.t('“{0}” asks a model without an agent: there is nothing to debug.', found.name));
	}
	const file = vscode.Uri.file(suite.file);
	await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), debugConfiguration(suite, found, target.model));
}

/** The launch configuration of a case, as the debugger of agents takes it. */
export function debugConfiguration(suite: Suite, { name, runFile, request, mocks }: SuiteCase, model: string): vscode.DebugConfiguration {
	return {
		type: debugType,
		request: 'launch',
		name,
		...(runFile === undefined ? { runFile: suite.file, body: { model, ...(getNodeValue(request) as object) } } : { runFile }),
		...(Object.keys(mocks).length > 0 && { mocks }),
	};
}
