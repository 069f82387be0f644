import assert from 'node:assert/strict';
import { limitDiagram } from '#pages/shared/diagrams/diagramLimits.ts';
import { toHex } from '#pages/shared/diagrams/diagramTheme.ts';
import { getMarkdownStrings } from '#pages/shared/markdownStrings.ts';
import { english } from '../../../support/english.ts';
import { installDom } from './dom.ts';

const isTooLarge = (text: string) => limitDiagram(text) === undefined;

describe('diagram in a reply', () => {
	it('is not drawn if its layout could take seconds', () => {
		assert.equal(isTooLarge(`flowchart LR\n${'A-->B\n'.repeat(100)}`), false);
		assert.equal(isTooLarge(`flowchart LR\n${'A;'.repeat(300)}`), true);
		assert.equal(isTooLarge(`sequenceDiagram\n${'A->>B:x\n'.repeat(300)}`), true);
		assert.equal(isTooLarge(`flowchart LR\nA[${'x'.repeat(9000)}]`), true);
	});

	it('is not drawn if a number in it makes millions of blocks or days', () => {
		assert.deepEqual(
			['space:2 a', 'space:99', 'space:9999999'].map(blocks => isTooLarge(`block-beta\n  ${blocks}\n`)),
			[false, false, true],
		);
		const createChart = (task: string, format = 'YYYY-MM-DD') => `gantt\n dateFormat ${format}\n excludes weekends\n section a\n ${task}\n`;
		const days = ['t: 2026-01-01, 30d', 't: 2026-01-01, 99999999d', 't: 2026-01-01, 9999y', 't: 01.01.2000, 01.01.9999', 't: a, 999y'];
		assert.deepEqual(
			days.map(task => isTooLarge(createChart(task))),
			[false, true, true, true, true],
		);
		assert.equal(isTooLarge(createChart('t: 0, 9', 'X')), true);
		assert.equal(isTooLarge(createChart('t: 2026-01-01, 2d\n'.repeat(60))), false);
	});

	it('is not drawn either if a directive, a space or a date in another form hides such a number', () => {
		const large = 't: 2026-01-01, 9999y';
		const hidden = [
			'block-beta\n space:%%{x}%%999999\n',
			'block-beta\n sp%%%%{a}%%{b}%%ace:999999\n',
			'block-beta\n SPACE:999999\n',
			`%%{init: {}}%% gantt\n excludes weekends\n ${large}\n`,
			`gantt excludes weekends\n ${large}\n`,
			`gantt\n\u00a0excludes weekends\n ${large}\n`,
			`gantt\n exc%%{a}%%ludes weekends\n ${large}\n`,
			...['1/1/50, 12/31/49', 'x 50, 2d', '1, 12/31/2049', 'May, 1/1/2026', '2026-01-01, 1e9d'].map(
				task => `gantt\n dateFormat MM/DD/YYYY\n excludes weekends\n t: ${task}\n`,
			),
			`gantt\n dateFormat ${'YYYY'.repeat(500)}\n excludes weekends\n t: 2026-01-01, 100d\n`,
			`gantt\n excludes monday,tuesday,wednesday,thursday,friday,saturday\n t: 2026-01-01, 2000d\n`,
			`gantt\n excludes weekends\n axisFormat %H; t: 1/1/50, 12/31/49\n`,
			`gantt\n excludes weekends\n my axisFormat x: 1/1/50, 12/31/49\n`,
			`gantt\n dateFormat YYYY-MM-DD HH:mm\n excludes weekends\n t: after x, 1950-01-01 10:00\n`,
		];
		for (const text of hidden) {
			assert.equal(isTooLarge(text), true, text);
		}
		assert.equal(limitDiagram('%%{init: {"theme":"dark"}}%%\nflowchart LR\n A-->B\n%%{x'), '\nflowchart LR\n A-->B\n');
		const usual = [
			'gantt\n title Plan: 2026\n dateFormat YYYY-MM-DD\n axisFormat %d:%m\n excludes weekends, 2026-01-06\n section A: one\n One :a1, 2026-01-01, 30d\n Two :crit, after a1, 2w\n Three :done, milestone, m1, 2026-03-01, 0d\n Four : 12d\n',
			'gantt\n dateFormat DD.MM.YYYY HH:mm\n excludes sunday\n One: 01.02.2026 10:00, 05.02.2026 12:00\n',
			'gantt\n dateFormat HH:mm\n One: 10:00, 2h\n',
		];
		for (const text of usual) {
			assert.equal(isTooLarge(text), false, text);
		}
	});

	it('is not drawn if it is a packet of very many bits', () => {
		for (const usual of ['packet\n0-1023: "port 65535"', 'packet-beta\n+16: "a"\n+16: "b"']) {
			assert.equal(isTooLarge(usual), false, usual);
		}
		for (const large of ['packet\n0-319999: "x"', `packet\n${'+999: "x"\n'.repeat(100)}`, '---\ntitle: x\n---\npacket\n0-4999: "x"']) {
			assert.equal(isTooLarge(large), true, large);
		}
	});

	it('gets colors in a form that Mermaid reads', () => {
		assert.equal(toHex('rgb(1, 171, 255)'), '#01abff');
		assert.equal(toHex('rgba(1, 171, 255, 0.5)'), '#01abff');
		assert.equal(toHex('color(srgb 0.5 1 1.2e-5)'), '#80ff00');
	});

	it('stays code until it is complete, also inside a list', async () => {
		const dom = installDom();
		try {
			const { MarkdownView } = await import('#pages/shared/markdownView.ts');
			const shown: string[] = [];
			const { CodeBlock } = await import('#pages/shared/codeBlock.ts');
			const { updateCode } = CodeBlock.prototype;
			CodeBlock.prototype.updateCode = function (text, complete) {
				shown.push(`${complete ? 'complete' : 'open'} ${text.trim()}`);
				updateCode.call(this, text, false);
			};
			try {
				const root = document.createElement('div');
				const view = new MarkdownView(root, {
					code: { strings: getMarkdownStrings({ t: english }), buttons: [], run: () => undefined },
					renderImage: link => link,
					renderFile: link => link,
				});
				view.updateText('- a\n  ```mermaid\n  pie\n', false);
				assert.deepEqual(shown, ['open pie']);
				const { promise, resolve } = Promise.withResolvers<void>();
				new window.MutationObserver(() => root.textContent?.includes('end') && resolve()).observe(root, { childList: true, subtree: true });
				view.updateText('- a\n  ```mermaid\n  pie\n  ```\n\nend of it', false);
				await promise;
				assert.equal(shown.at(-1), 'complete pie');
				view.dispose();
			} finally {
				CodeBlock.prototype.updateCode = updateCode;
			}
		} finally {
			dom.restore();
		}
	});

	it('becomes a picture with its size and name', async () => {
		const dom = installDom();
		const before = [globalThis.DOMParser, globalThis.XMLSerializer];
		Object.assign(globalThis, { DOMParser: window.DOMParser, XMLSerializer: window.XMLSerializer });
		try {
			const { createDrawing } = await import('#pages/shared/diagrams/drawing.ts');
			const drawing = createDrawing(
				'<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 120.5 80"><title>Trip</title><desc>By train &amp; bus</desc><g/></svg>',
			);
			assert.deepEqual([drawing.width, drawing.name], [120.5, 'Trip. By train & bus']);
			assert.match(decodeURIComponent(drawing.url), /^data:image\/svg\+xml;charset=utf-8,<svg [^>]*width="120\.5"[^>]*height="80"/);
		} finally {
			Object.assign(globalThis, { DOMParser: before[0], XMLSerializer: before[1] });
			dom.restore();
		}
	});
});
