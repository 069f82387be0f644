import path from 'node:path';
import * as vscode from 'vscode';
import type { SuiteFiles } from './suiteFiles.ts';

/** Task type in tasks.json, and name of the problem matcher in package.json. */
export const taskType = 'agent-workbench';

/** Offers each suite of the workspace as a task that runs the command line. Its problem matcher lists failures in the Problems view. */
export class SuiteTasks implements vscode.TaskProvider {
	readonly #files: Pick<SuiteFiles, 'findSuites'>;

	constructor(files: Pick<SuiteFiles, 'findSuites'>) {
		this.#files = files;
	}

	async provideTasks(): Promise<vscode.Task[]> {
		return (await this.#files.findSuites()).flatMap(uri => {
			const folder = vscode.workspace.getWorkspaceFolder(uri);
			const suite = folder && path.posix.relative(folder.uri.path, uri.path);
			return folder && suite !== undefined ? [createTask({ type: taskType, suite }, folder)] : [];
		});
	}

	resolveTask({ definition, scope }: vscode.Task): vscode.Task | undefined {
		const isFolder = typeof scope === 'object' && 'uri' in scope;
		return isFolder && typeof definition['suite'] === 'string' ? createTask(definition, scope) : undefined;
	}
}

function createTask(definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder): vscode.Task {
	const suite = String(definition['suite']);
	// use the project's own package: never look it up in a registry or install it without asking
	const args = ['--no-install', 'agent-workbench', 'test', suite].map(value => ({ value, quoting: vscode.ShellQuoting.Strong }));
	const execution = new vscode.ShellExecution('npx', args, { cwd: folder.uri.fsPath });
	const task = new vscode.Task(definition, folder, path.posix.basename(suite, '.suite.json'), 'agent-workbench', execution, `$${taskType}`);
	task.group = vscode.TaskGroup.Test;
	task.detail = vscode.l10n.t('agent-workbench test {0}', suite);
	return task;
}
