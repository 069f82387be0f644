import assert from 'node:assert/strict';
import { longestRefusal, type Reply, ReplyCollector } from '#client/replyCollector.ts';
import { findPageTitle } from '#network/pageTitle.ts';

describe('an HTML error page', () => {
	it('has its title put on one line, and read only from its first kilobytes', () => {
		assert.equal(findPageTitle('<html><head><TITLE lang="en">502\n  Bad Gateway </TITLE>'), '502 Bad Gateway');
		assert.equal(findPageTitle('<html><title></title>'), undefined);
		assert.equal(findPageTitle('<title-bar>no title'), undefined);
		assert.equal(findPageTitle(`${' '.repeat(10_000)}<title>late</title>`), undefined);
	});

	it('is read only up to its limit, while a successful response is read completely', () => {
		assert.equal(collectReply(502).bytes.length, longestRefusal);
		assert.equal(collectReply(200).bytes.length, 2 * longestRefusal);
	});
});

/** Returns the error for a response of two megabytes with this status. */
function collectReply(status: number): Reply {
	let reply: Reply | undefined;
	const failTest = () => assert.fail();
	const collector = new ReplyCollector({ onDone: value => (reply = value), onFailure: failTest, onTooLong: failTest });
	collector.start(status, {});
	for (let i = 0; i < 32; i++) {
		collector.receiveChunk(Buffer.alloc(longestRefusal / 16));
	}
	collector.endResponse();
	return reply ?? assert.fail();
}
