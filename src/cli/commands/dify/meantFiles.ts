import path from 'node:path';
import { agentPathsOf } from '#dify/files/linkFile.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault } from '../../cliFault.ts';
import { foundFiles } from '../../foundFiles.ts';

/** Resolves arguments to agent files: in folders those with a sidecar; for a first pull, the file may not exist yet. */
export function meantFiles(name: string, given: GivenArguments): string[] {
	const files = given.operands.flatMap(operand => {
		const found = foundFiles([operand], '**/*.dify.json').flatMap(agentFileOf);
		if (found.length === 0 && !(given.has('app') && /\.ya?ml$/i.test(operand))) {
			throw new CliFault(`${name} ${operand}: expected an agent file (NAME.yml), a glob, or a folder with sidecars (NAME.dify.json).`);
		}
		return found.length === 0 ? [path.resolve(operand)] : found;
	});
	return [...new Set(files)];
}

/** Returns the agent file of a sidecar. */
function agentFileOf(file: string): string[] {
	return /\.ya?ml$/i.test(file) ? [file] : foundFiles(agentPathsOf(file)).slice(0, 1);
}
