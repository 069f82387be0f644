import path from 'node:path';
import type * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';

/** Whether a file is that of an agent of the built-in gateway. `folders`: absolute paths of the agents folders. */
export function isFileOfAgent(uri: vscode.Uri, agent: string, folders: readonly string[]): boolean {
	const { dir, name } = path.parse(uri.fsPath);
	return agent === name && folders.includes(dir);
}

/** Whether a run is one of a file: of its text as it stood in the editor, or of the agent that it is. */
export function isRunOfFile(uri: vscode.Uri, { agentFile, agent }: RunRecord, folders: readonly string[]): boolean {
	return agentFile === undefined ? isFileOfAgent(uri, agent, folders) : agentFile === uri.toString();
}
