import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';
import { restFiles } from '../../../scripts/test/restFiles.ts';
import { chooseSuites, listSuites, longestFirst, type Part, type Suite } from '../../../scripts/test/suites.ts';

const createSuite = (name: string, more: Partial<Suite> = {}): Suite => ({ name, commands: [], counts: 'tests', ...more });

const all = [
	createSuite('packaging', { isRest: true }),
	createSuite('build', { after: ['packaging'] }),
	createSuite('unit'),
	createSuite('unit, rest', { isRest: true }),
	createSuite('ui: a', { needs: ['build'] }),
	createSuite('ui: b', { needs: ['build'], isRest: true }),
	createSuite('package', { needs: ['packaging', 'build'], isRest: true }),
];

describe('the suites of tests', () => {
	it('are chosen by part, together with the suites that they need', () => {
		const listNames = (part: Part) => chooseSuites(all, part).map(({ name }) => name);
		assert.deepEqual(listNames('main'), ['build', 'unit', 'ui: a']);
		assert.deepEqual(listNames('rest'), ['packaging', 'build', 'unit, rest', 'ui: b', 'package']);
		assert.deepEqual(
			listNames('all'),
			all.map(({ name }) => name),
		);
	});

	it('are chosen by name prefix from both parts', () => {
		const listNames = (...words: string[]) => chooseSuites(all, 'main', words).map(({ name }) => name);
		assert.deepEqual(listNames('ui'), ['build', 'ui: a', 'ui: b']);
		assert.deepEqual(listNames('ui: b', 'unit'), ['build', 'unit', 'unit, rest', 'ui: b']);
	});

	it('wait for suites that must come before them only if those are chosen', () => {
		const listNeeds = (part: Part) => chooseSuites(all, part).find(({ name }) => name === 'build')!.needs;
		assert.deepEqual(listNeeds('main'), []);
		assert.deepEqual(listNeeds('all'), ['packaging']);
	});

	it('start in the order of the list of long ones, which names no suite that was renamed', () => {
		const names = listSuites().map(({ name }) => name);
		assert.deepEqual(
			names.filter(name => longestFirst.includes(name)),
			longestFirst,
		);
	});

	it('run each test file in one part', () => {
		const files = fs
			.globSync('test/{unit,contract,faults,cli,ui}/**/*.test.ts', { cwd: root })
			.map(file => file.replaceAll('\\', '/'))
			.sort();
		const run = listSuites().flatMap(({ commands }) =>
			commands.flatMap(([program, ...args]) => (program === 'mocha' ? listFiles(args) : [])),
		);
		assert.deepEqual(run.filter(file => !/^test\/(fuzz|vsix)\//.test(file)).sort(), files);
	});

	it('have random inputs only where a failed test is not tried again', () => {
		const retried = fs
			.globSync('test/*/.mocharc.json', { cwd: root })
			.filter(config => fs.readFileSync(path.join(root, config), 'utf8').includes('"retries"'))
			.map(path.dirname);
		assert.ok(retried.includes('test/contract'));
		const files = ['test/host', ...retried].flatMap(folder => fs.globSync(`${folder}/**/*.ts`, { cwd: root }));
		assert.deepEqual(
			files.filter(file => fs.readFileSync(path.join(root, file), 'utf8').includes("from 'fast-check'")),
			[],
		);
	});

	it('leave out files by patterns that match files', () => {
		assert.deepEqual(
			restFiles.filter(pattern => fs.globSync(pattern, { cwd: root }).length === 0),
			[],
		);
	});
});

/** Returns the files that mocha runs with these arguments. */
function listFiles(args: readonly string[]): string[] {
	const ignored = args.filter((_, index) => args[index - 1] === '--ignore').flatMap(pattern => fs.globSync(pattern, { cwd: root }));
	const patterns = args.filter(arg => arg.startsWith('test/') && arg.includes('.test.ts') && args[args.indexOf(arg) - 1] !== '--ignore');
	return patterns.flatMap(pattern => fs.globSync(pattern, { cwd: root }).filter(file => !ignored.includes(file)));
}
