import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.ts';

/** Matches icon names in code of the editor and pages, and in the manifest. */
const uses = [/ThemeIcon\('([\w-]+)'/g, /\$\(([a-z][\w-]*)(?:~\w+)?\)/g, /codicon codicon-([a-z][a-z-]*[a-z])(?=[\s"'`])/g];

describe('the icons in code and manifest', () => {
	it("are all in VS Code's icon set", () => {
		const file = path.join(root, 'node_modules/@vscode/codicons/src/template/mapping.json');
		const known = new Set(Object.values(JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string[]>).flat());
		const files = fs
			.globSync('src/**/*.ts', { cwd: root })
			.filter(name => !['gateway', 'engine', 'models'].includes(name.split(path.sep)[1] ?? ''));
		const named = [...files, 'package.json'].flatMap(name => {
			const text = fs.readFileSync(path.join(root, name), 'utf8');
			return uses.flatMap(use => [...text.matchAll(use)].map(([, icon]) => `${name}: ${icon}`));
		});
		assert.ok(named.length > 100, `${named.length} uses`);
		assert.deepEqual(
			named.filter(use => !known.has(use.split(': ')[1] ?? '')),
			[],
		);
	});
});
