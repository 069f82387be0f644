import path from 'node:path';
import { getAgentPaths } from '#dify/files/linkFile.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault } from '../../cliFault.ts';
import { findFiles } from '../../foundFiles.ts';

/** Resolves arguments to agent files. In a folder, these are the files with a sidecar. For a first pull, the file may not exist yet. */
export function resolveAgentFiles(name: string, given: GivenArguments): string[] {
	const files = given.operands.flatMap(operand => {
		const found = findFiles([operand], '**/*.dify.json').flatMap(findAgentFile);
		if (found.length === 0 && !(given.has('app') && /\.ya?ml$/i.test(operand))) {
			throw new CliFault(`${name} ${operand}: expected an agent file (NAME.yml), a glob, or a folder with sidecars (NAME.dify.json).`);
		}
		return found.length === 0 ? [path.resolve(operand)] : found;
	});
	return [...new Set(files)];
}

/** Returns the agent file that belongs to a sidecar. */
function findAgentFile(file: string): string[] {
	return /\.ya?ml$/i.test(file) ? [file] : findFiles(getAgentPaths(file)).slice(0, 1);
}
