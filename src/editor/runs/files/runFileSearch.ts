import * as vscode from 'vscode';
import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { foreignFolders, runFilePattern } from '../../platform/names.ts';
import { readSmallFile } from '../../platform/smallFile.ts';

/** Maximum number of files to find. More files would only be slow. */
const mostFiles = 5000;
const readAtOnce = 16;
/** Length of a text from which on it's searched for the name instead of parsed. */
const longestParsed = 1_000_000;

/** Finds all run files of the workspace, except those in package folders and `.git`. Sorted by path. */
export async function findRunFiles(): Promise<vscode.Uri[]> {
	const found = await vscode.workspace.findFiles(runFilePattern, foreignFolders, mostFiles);
	return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Reads the name of the agent in each file, or `undefined` if the file names none. Skips files that no longer exist or are too large. */
export async function readAgentsOfRunFiles(
	files: readonly vscode.Uri[],
): Promise<(readonly [file: vscode.Uri, agent: string | undefined])[]> {
	const found: (readonly [vscode.Uri, string | undefined])[] = [];
	for (let i = 0; i < files.length; i += readAtOnce) {
		const some = files.slice(i, i + readAtOnce).map(async file => {
			try {
				return [[file, findAgentName(await readSmallFile(file))] as const];
			} catch {
				return [];
			}
		});
		found.push(...(await Promise.all(some)).flat());
	}
	return found;
}

/** Returns the agent's name even if the file isn't valid JSON because it is being edited, so that its row in the tree doesn't disappear. */
function findAgentName(text: string): string | undefined {
	const body = text.length > longestParsed ? undefined : tryParseJson(text);
	const model = body === undefined ? /"model"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] : getField(body, 'model');
	return typeof model === 'string' ? model : undefined;
}
