import assert from 'node:assert/strict';
import { root } from '../../../../scripts/lib/paths.ts';
import { checkDevContainer } from '../../../../scripts/release/checks/devContainers.ts';
import { checkLinks, checkNames, findRelativeLinks } from '../../../../scripts/release/checks/pages.ts';
import { checkWorkflow, checkWorkflows } from '../../../../scripts/release/checks/workflows.ts';

describe('the check of pages', () => {
	it('reports pictures and links that a marketplace would show broken', () => {
		const page = [
			'![](a.webp) ![picture](b.svg) ![picture](gone.png) [c](http://c.example) [d](gone.md#x) [e](#y)',
			'```',
			'[f](gone.md)',
			'```',
			'<video src="g.mp4">',
		].join('\n');
		assert.deepEqual(
			checkLinks('docs/x.md', page, file => /^docs\/[ab]\./.test(file)),
			[
				'docs/x.md: a.webp has no description',
				'docs/x.md: b.svg is an SVG',
				"docs/x.md: gone.png doesn't exist",
				"docs/x.md: http://c.example isn't a secure address",
				"docs/x.md: gone.md#x doesn't exist",
				'docs/x.md: contains a video tag',
			],
		);
	});

	it('reports commands and settings that do not exist', () => {
		const known = { titles: new Set(['Run File']), names: new Set(['agentWorkbench.port']) };
		assert.deepEqual(checkNames('x.md', 'Run *Run\nFile* or *Walk*, with `agentWorkbench.port` and `agentWorkbench.gone`.', known), [
			"x.md: 'Walk' isn't a command",
			"x.md: 'agentWorkbench.gone' isn't a command or setting",
		]);
	});

	it('reports relative links in a packed page', () => {
		assert.deepEqual(findRelativeLinks('x', '[a](docs/a.md) [b](https://b.example) [c](#c)'), [
			"x: docs/a.md doesn't work without the repository",
		]);
	});
});

describe('the check of workflows', () => {
	const sha = 'a'.repeat(40);
	const checkout = `- uses: actions/checkout@${sha} # v7.0.1\n        with:\n          persist-credentials: false`;
	const createWorkflow = (permissions: string, steps: string, more = ''): string => `on: push
permissions: {}
jobs:
  one:
    timeout-minutes: 5
    permissions: ${permissions}
${more}    steps:
      ${steps}
`;
	const publish = '{ id-token: write, contents: read }';
	const publishSteps = '- run: sha256sum --check SHA256SUMS\n      - run: npm publish a.tgz';

	it('accepts those of this repository', () => {
		assert.deepEqual(checkWorkflows({ folder: root }), []);
	});

	it('accepts a job that tests and one that publishes', () => {
		assert.deepEqual(checkWorkflow('a.yml', createWorkflow('{ contents: read }', checkout)), []);
		assert.deepEqual(checkWorkflow('a.yml', createWorkflow(publish, publishSteps, '    environment: npm\n')), []);
	});

	for (const [title, text, problem] of [
		[
			'more permissions than the job needs',
			createWorkflow('{ contents: write }', checkout),
			/job 'one' builds or tests, so it needs exactly/,
		],
		['permissions that are not named', createWorkflow('{ contents: read }', checkout).replace('permissions: {}\n', ''), /at the top/],
		['an action without a commit', createWorkflow('{ contents: read }', '- uses: actions/setup-node@v7'), /setup-node@v7 isn't pinned/],
		['a commit without its version', createWorkflow('{ contents: read }', `- uses: a/b@${sha}`), /isn't pinned/],
		['a token of a marketplace', createWorkflow('{ contents: read }', '- run: a --pat "$OVSX_PAT"'), /long-lived token OVSX_PAT/],
		['any other secret', createWorkflow('{ contents: read }', `- env: { A: '\${{ secrets.MY_KEY }}' }`), /secrets\.MY_KEY/],
		[
			'an expression in a script',
			createWorkflow('{ contents: read }', `- run: echo '\${{ github.head_ref }}'`),
			/expression into a script/,
		],
		['a checkout with credentials', createWorkflow('{ contents: read }', `- uses: actions/checkout@${sha} # v7`), /keeps the credentials/],
		['the rights of others', createWorkflow('{ contents: read }', checkout).replace('push', 'pull_request_target'), /rights of others/],
		['publishing without an environment', createWorkflow(publish, publishSteps), /without an environment/],
		[
			'publishing without hashes',
			createWorkflow(publish, '- run: ovsx publish a.vsix', '    environment: a\n'),
			/doesn't check the hashes/,
		],
		[
			'code of the project in a job that publishes',
			createWorkflow(publish, `- run: npm ci\n      ${publishSteps}`, '    environment: a\n'),
			/runs code of the project: npm ci/,
		],
		[
			'the sources in a job that publishes',
			createWorkflow(publish, `${checkout}\n      ${publishSteps}`, '    environment: a\n'),
			/checks out more than \.github\/publish/,
		],
		[
			'attestations without their right',
			createWorkflow('{ id-token: write, contents: read }', `- uses: actions/attest@${sha} # v4`),
			/attests, so it needs exactly/,
		],
		[
			'an SBOM that is not built',
			createWorkflow(
				'{ id-token: write, attestations: write, contents: read }',
				`- uses: actions/attest@${sha} # v4\n        with: { sbom-path: other.cdx.json }`,
			),
			/attests other\.cdx\.json, which no package has/,
		],
	] as const) {
		it(`reports ${title}`, () => {
			assert.match(checkWorkflow('a.yml', text).join('\n'), problem);
		});
	}
});

describe('the check of dev containers', () => {
	it('accepts an image whose Node.js and npm fit', () => {
		assert.deepEqual(checkDevContainer('{ "image": "node:24-bookworm", } // a comment', { node: '>=20', npm: '>=11' }), []);
	});

	it('reports an older Node.js or npm, no image, and broken JSON', () => {
		assert.deepEqual(checkDevContainer('{"image": "node:20"}', { node: '>=24', npm: '>=11' }), [
			'has Node.js 20, but engines.node is >=24',
			'has npm 10, but engines.npm is >=11',
		]);
		assert.deepEqual(checkDevContainer('{"image": "debian:13"}', {}), ['names no image with a version of Node.js']);
		assert.deepEqual(checkDevContainer('{"image": ', {}), ["isn't valid JSON"]);
	});
});
