import * as vscode from 'vscode';
import { DisposableBase } from '../../common/disposables.ts';
import { sameFile } from '../../common/sameFile.ts';
import type { AgentSummary } from '../../protocol/agents.ts';
import type { Suite } from '../../suites/suite.ts';
import { agentsOf } from '../suiteServices.ts';

/** Calls back when a file is saved, until it is disposed of. */
export class SavedFiles extends DisposableBase {
	constructor(saved: (file: string) => unknown) {
		super();
		this.own(vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.scheme === 'file' && saved(uri.fsPath)));
	}
}

/** Whether a suite would come out differently for what was saved: its own file, a run file or dataset of it, or an agent that it runs. */
export async function dependsOn(suite: Suite, agents: readonly AgentSummary[] | undefined, file: string): Promise<boolean> {
	const names = agentsOf(suite);
	const files = [
		suite.file,
		...(suite.dataset ? [suite.dataset.file] : []),
		...suite.cases.flatMap(({ runFile }) => runFile ?? []),
		...(agents ?? []).flatMap(agent => (agent.file !== null && names.has(agent.name) ? [agent.file] : [])),
	];
	for (const each of new Set(files)) {
		if (await sameFile(each, file)) {
			return true;
		}
	}
	return false;
}
