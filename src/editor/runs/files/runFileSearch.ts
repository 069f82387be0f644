import * as vscode from 'vscode';
import { fieldOf } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { foreignFolders, runFilePattern } from '../../platform/names.ts';

/** Enough for any workspace that people work in by hand; more would only be slow. */
const mostFiles = 5000;
const readAtOnce = 16;

/** All run files of the workspace, by path; those of packages and of git are none. */
export async function findRunFiles(): Promise<vscode.Uri[]> {
	const found = await vscode.workspace.findFiles(runFilePattern, foreignFolders, mostFiles);
	return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The agent that each of these files names, `undefined` where it names none; a file that is gone is left out. */
export async function agentsOfRunFiles(files: readonly vscode.Uri[]): Promise<(readonly [file: vscode.Uri, agent: string | undefined])[]> {
	const found: (readonly [vscode.Uri, string | undefined])[] = [];
	for (let i = 0; i < files.length; i += readAtOnce) {
		const some = files.slice(i, i + readAtOnce).map(async file => {
			try {
				return [[file, agentIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)))] as const];
			} catch {
				return [];
			}
		});
		found.push(...(await Promise.all(some)).flat());
	}
	return found;
}

/** The agent that a run file names; a file that is being edited, and is no JSON for a moment, keeps its place. */
function agentIn(text: string): string | undefined {
	const body = tryParseJson(text);
	const model = body === undefined ? /"model"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] : fieldOf(body, 'model');
	return typeof model === 'string' ? model : undefined;
}
