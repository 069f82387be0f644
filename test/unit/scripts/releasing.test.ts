import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../scripts/lib/paths.ts';

const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const workflows = fs.globSync('.github/workflows/*.yml', { cwd: root }).map(read);
const guide = read('docs/internals/releasing.md');

describe('docs/internals/releasing.md', () => {
	it('lists exactly the actions that the workflows use, with their versions and commits', () => {
		const used = workflows.flatMap(text =>
			[...text.matchAll(/uses: (\S+)@(\w+) # (\S+)$/gm)].map(([, name, commit, version]) => `${name} ${version} ${commit}`),
		);
		const listed = [...guide.matchAll(/^\| `(\S+)` \| (v\S+) \| `(\w{40})` \|$/gm)].map(([, ...row]) => row.join(' '));
		assert.ok(used.length > 10);
		assert.deepEqual(listed.toSorted(), [...new Set(used)].sort());
	});

	it('names each environment, variable and script', () => {
		const release = read('.github/workflows/release.yml');
		const { jobs } = parse(release) as { jobs: Record<string, { environment?: string }> };
		const environments = Object.values(jobs).flatMap(({ environment }) => environment ?? []);
		const variables = [...release.matchAll(/vars\.(\w+)/g)].map(([, name]) => name!);
		assert.deepEqual(
			[...environments, ...variables].filter(name => !guide.includes(`\`${name}\``)),
			[],
		);
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = [...guide.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
		assert.deepEqual(
			named.filter(name => !(name in scripts)),
			[],
		);
	});
});
