import path from 'node:path';
import type * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';

/** True if the built-in gateway serves this agent from this file. `folders` are the absolute paths of the agents folders. */
export function isFileOfAgent(uri: vscode.Uri, agent: string, folders: readonly string[]): boolean {
	const { dir, name } = path.parse(uri.fsPath);
	return agent === name && folders.includes(dir);
}

/** True if a run is a draft run of a file or a run of its agent. */
export function isRunOfFile(uri: vscode.Uri, { agentFile, agent }: RunRecord, folders: readonly string[]): boolean {
	return agentFile === undefined ? isFileOfAgent(uri, agent, folders) : agentFile === uri.toString();
}
