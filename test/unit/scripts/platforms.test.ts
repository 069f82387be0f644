import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';

/** What only code that differs by platform names: systems, signals, separators, and features that some systems lack. */
const signs = [
	/process\.platform|NodeJS\.Platform|sys\.platform|hasattr\(os/,
	/\bpath\.(?:sep|win32|delimiter)\b|PlatformPath|os\.EOL/,
	/\/proc\b|bwrap|O_NOFOLLOW|O_NONBLOCK|getuid|umask|chmodSync/,
	/'SIG(?:TERM|KILL|INT|HUP)'/,
	/'(?:EBUSY|ENOTSUP)'/,
];
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const page = read('docs/internals/platforms.md');
const rows = [...page.matchAll(/^\| `(src\/[^`]+)` \|.*\| `(test\/[^`]+)` \|$/gm)].map(([, file = '', test = '']) => ({ file, test }));

describe('docs/internals/platforms.md', () => {
	it('lists exactly the files whose code differs by platform', () => {
		const files = fs
			.globSync('src/**/*.ts', { cwd: root })
			.map(file => file.replaceAll(path.sep, '/'))
			.filter(file => signs.some(sign => sign.test(read(file))));
		assert.deepEqual(rows.map(row => row.file).toSorted(), files.sort());
	});

	it('names tests that exist', () => {
		const tests = [...page.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, test]) => test!);
		assert.deepEqual(
			tests.filter(test => !fs.existsSync(path.join(root, test))),
			[],
		);
	});

	it('is right that no two files differ only by case', () => {
		const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
			.trim()
			.split('\n');
		const folded = Map.groupBy(files, file => file.toLowerCase());
		assert.deepEqual(
			[...folded.values()].filter(same => same.length > 1),
			[],
		);
	});
});
