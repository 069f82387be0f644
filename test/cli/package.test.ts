import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { getCliPackageFile } from '../../scripts/release/cliPackage.ts';
import { readManifest } from '../../scripts/release/manifest.ts';
import { readTarball } from '../../scripts/release/tarball.ts';
import { cleanUpGateways, createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const isWindows = process.platform === 'win32';

/** Returns the environment of a CI job: only what a shell and npm need, without settings of this machine. */
function createBareEnvironment(home: string): NodeJS.ProcessEnv {
	const system = isWindows ? process.env : { PATH: `${path.dirname(process.execPath)}${path.delimiter}/usr/bin${path.delimiter}/bin` };
	return {
		...system,
		HOME: home,
		TMPDIR: home,
		npm_config_cache: path.join(home, 'cache'),
		npm_config_offline: 'true',
		npm_config_update_notifier: 'false',
	};
}

describe('the package of the command line', function () {
	this.timeout(180_000);
	const tarball = path.join(root, getCliPackageFile(readManifest(root)));
	let files: Map<string, Buffer>;
	let manifest: Record<string, unknown>;

	before(() => {
		assert.ok(fs.existsSync(tarball), 'Run "npm run package" first: this tests the file that is published');
		files = readTarball(tarball);
		manifest = JSON.parse(files.get('package.json')!.toString('utf8'));
	});

	after(cleanUpGateways);

	it('contains everything that runs without an editor and nothing of the editor', () => {
		for (const needed of [
			'dist/cli.js',
			'dist/gateway.js',
			'dist/codeThread.js',
			'dist/emscripten-module.wasm',
			'media/run.schema.json',
			'README.md',
			'LICENSE',
		]) {
			assert.ok(files.has(needed), needed);
		}
		assert.deepEqual(
			[...files.keys()].filter(file => /\.cjs$|\.map$|webview|^src|^test|^samples|^docs|\.svg$/.test(file)),
			[],
		);
	});

	it('has no dependencies, runs no scripts when installed, and can be published', () => {
		assert.deepEqual(
			['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies', 'scripts', 'private'].filter(
				field => field in manifest,
			),
			[],
		);
	});

	it('works when installed into an empty folder with an empty environment', async () => {
		const folder = createTemporaryFolder();
		const env = createBareEnvironment(createTemporaryFolder());
		await run(npm, ['install', '--no-audit', '--no-fund', '--no-save', tarball], {
			cwd: folder,
			shell: isWindows,
			env: { ...env, PATH: process.env['PATH'] },
		});
		fs.cpSync(path.join(root, 'samples', 'agents', 'summarize.yml'), path.join(folder, 'agents', 'summarize.yml'), { recursive: true });
		fs.cpSync(path.join(root, 'samples', 'runs'), path.join(folder, 'runs'), { recursive: true });
		fs.writeFileSync(path.join(folder, 'summary.suite.json'), suite);
		const command = path.join(folder, 'node_modules', '.bin', isWindows ? 'agent-workbench.cmd' : 'agent-workbench');
		const checked = await run(command, ['check', 'agents/*.yml'], { cwd: folder, env, shell: isWindows });
		assert.match(checked.stdout, /0 errors/);
		const { stdout: version } = await run(command, ['--version'], { cwd: folder, env, shell: isWindows });
		assert.equal(version.trim(), manifest['version']);
		const ran = await run(command, ['run', 'runs/annual-report.run.json'], { cwd: folder, env, shell: isWindows });
		assert.match(ran.stderr, /■ succeeded/);
		const tested = await run(command, ['test', '--junit', 'out.xml'], { cwd: folder, env, shell: isWindows });
		assert.match(tested.stdout, /1 passed, 0 failed/);
	});

	for (const [service, isJob] of [
		['GitHub Actions', (text: string) => text.includes('runs-on:')],
		['GitLab', (text: string) => text.includes('image: node')],
	] as const) {
		it(`runs the job in docs/cli.md for ${service}`, async function () {
			if (isWindows) {
				this.skip();
			}
			const page = fs.readFileSync(path.join(root, 'docs/cli.md'), 'utf8');
			const text = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(match => match[1]!).find(isJob)!;
			const commands = listCommands(parse(text));
			assert.equal(commands.length, 3);
			const folder = createTemporaryFolder();
			fs.mkdirSync(path.join(folder, 'agents'));
			fs.copyFileSync(path.join(root, 'samples', 'agents', 'summarize.yml'), path.join(folder, 'agents', 'summarize.yml'));
			fs.mkdirSync(path.join(folder, 'tools'));
			fs.copyFileSync(tarball, path.join(folder, 'tools', path.basename(tarball)));
			fs.writeFileSync(path.join(folder, 'summary.suite.json'), suite);
			const env: NodeJS.ProcessEnv = {
				...createBareEnvironment(createTemporaryFolder()),
				GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
			};
			// the machine's own npm replaces the npm of the job's image
			env['PATH'] = `${env['PATH']}${path.delimiter}${process.env['PATH']}`;
			for (const command of commands) {
				await run('/bin/sh', ['-e', '-c', command], { cwd: folder, env });
			}
			assert.match(fs.readFileSync(path.join(folder, 'agents.xml'), 'utf8'), /<testcase name="keywords"/);
		});
	}
});

/** A suite without model calls. */
const suite = JSON.stringify({
	model: 'summarize',
	cases: [
		{
			name: 'keywords',
			inputs: { text: 'Boats lie in the harbour. The harbour has boats and a crane. Boats need the harbour.', sentences: 1 },
			expect: [{ status: 'succeeded' }],
		},
	],
});

/** Returns the commands of a job: `run` of its steps (GitHub) or its `script` (GitLab). */
function listCommands(job: unknown): string[] {
	const { jobs, agents } = job as {
		jobs?: Record<string, { steps: { run?: string }[] }>;
		agents?: { script: string[] };
	};
	return jobs ? Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run: command }) => command ?? [])) : (agents?.script ?? []);
}
