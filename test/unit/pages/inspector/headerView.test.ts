import assert from 'node:assert/strict';
import path from 'node:path';
import type { InspectorHead } from '#pages/inspector/inspectorMessages.ts';
import { getInspectorStrings } from '#pages/inspector/inspectorStrings.ts';
import { english } from '../../../support/english.ts';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';
import type * as views from './headerViews.ts';

const strings = getInspectorStrings({ t: english });
const stopped: InspectorHead = {
	key: 'k',
	agent: 'summarize',
	runId: '0190aaaa-bbbb-cccc-dddd-eeee8f21c0de',
	status: 'stopped',
	startedAt: 1,
	error: 'Stopped by user.',
	connection: 'Built-in gateway',
	mode: 'streaming',
	user: 'ana',
	draft: false,
	elsewhere: false,
	live: false,
	waits: false,
	waitedMs: 0,
	moments: 0,
	actions: ['runAgain', 'ask', 'compare', 'open'],
	kept: false,
};

describe('the header of the inspector', () => {
	let page: PageWindow<typeof views>;
	before(async () => {
		page = await runPage(path.join(import.meta.dirname, 'headerViews.ts'));
	});
	after(() => page.window.close());

	it('has three labeled actions, and a menu with the others', () => {
		const { header, posted } = page.exports.renderHeader(stopped, strings);
		const labels = [...header.querySelectorAll('.actions > .wordButton')].map(({ textContent }) => textContent?.trim());
		assert.deepEqual(labels, ['Run again', 'Ask', 'Graph']);
		const items = [...header.querySelectorAll<HTMLElement>('[role=menu] > [role=menuitem]')];
		assert.deepEqual(
			items.map(({ textContent }) => textContent?.trim()),
			['Compare', 'Open run record', 'Copy run ID', strings.keepOpen],
		);
		items[2]?.click();
		assert.equal(JSON.stringify(posted), JSON.stringify([{ type: 'copy', text: stopped.runId }]));
	});

	it('shows the same short ID as the tab, and no error sign for a run that the user stopped', () => {
		const { header } = page.exports.renderHeader(stopped, strings);
		assert.equal(header.querySelector('.runId')?.textContent, '8f21c0de');
		assert.equal(header.querySelector('.problem .codicon-error'), null);
		const { header: failed } = page.exports.renderHeader({ ...stopped, status: 'failed' }, strings);
		assert.ok(failed.querySelector('.problem .codicon-error'));
	});

	it('names the mode of a run only if it does not stream', () => {
		const getFacts = (mode: InspectorHead['mode']) =>
			page.exports.renderHeader({ ...stopped, mode }, strings).header.querySelector('.facts')?.textContent;
		assert.match(getFacts('streaming') ?? '', /Built-in gateway · ana$/);
		assert.match(getFacts('blocking') ?? '', /Built-in gateway · blocking mode · ana$/);
	});
});
