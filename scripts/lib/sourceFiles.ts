import path from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { root } from './paths.ts';

/**
 * Parses each TypeScript file of src/ without types and calls `visit` with its path relative to the checkout (`src/base/…`).
 * @param project the TypeScript project with the files, and the base folder of paths
 */
export function visitSourceFiles(
	visit: (file: string, source: SourceFile) => void,
	project = { file: path.join(import.meta.dirname, 'parseOnly.tsconfig.json'), folder: root },
): void {
	const api = new API({ cwd: project.folder });
	try {
		const program = api.updateSnapshot({ openProjects: [project.file] }).getProjects()[0]?.program;
		for (const name of program?.getSourceFileNames() ?? []) {
			const source = program?.getSourceFile(name);
			if (source && name.endsWith('.ts')) {
				visit(path.relative(project.folder, name).replaceAll(path.sep, '/'), source);
			}
		}
	} finally {
		api.close();
	}
}
