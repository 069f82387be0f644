import assert from 'node:assert/strict';
import { requireGraphApp } from '#editor/dify/drafts/draftRuns.ts';

describe('a draft of an app in Dify', () => {
	const createApp = (mode: string) => ({ name: 'greet', mode }) as Parameters<typeof requireGraphApp>[0];

	it('can be run only if it is a workflow or a chatflow', () => {
		requireGraphApp(createApp('workflow'));
		requireGraphApp(createApp('advanced-chat'));
		assert.throws(() => requireGraphApp(createApp('agent-chat')), /'greet'.*Only drafts of workflows and chatflows can be run/);
	});
});
