import { getNodeValue } from 'jsonc-parser';
import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';
import type { Suite, SuiteCase } from '../suites/suite.ts';

/** Debugs a case: the run file that it is, else its request, with what stands in for nodes. */
export async function debugCase(suite: Suite, ordinal: number): Promise<void> {
	const found = suite.cases.find(each => each.ordinal === ordinal);
	if (!found) {
		throw new Problem('no-case', vscode.l10n.t('A row of a dataset cannot be debugged: make a case of it, or a run file.'));
	}
	const file = vscode.Uri.file(suite.file);
	await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), debugConfiguration(suite, found));
}

/** The launch configuration of a case, as the debugger of agents takes it. */
export function debugConfiguration(suite: Suite, { name, runFile, request, mocks }: SuiteCase): vscode.DebugConfiguration {
	return {
		type: 'agent',
		request: 'launch',
		name,
		...(runFile === undefined ? { suite: suite.file, run: getNodeValue(request) as unknown } : { runFile }),
		...(Object.keys(mocks).length > 0 && { mocks }),
	};
}
