import assert from 'node:assert/strict';
import fs from 'node:fs';
import { renderSettingsPage, settingsPagePath } from '../../../scripts/settingsPage.ts';

describe('docs/settings.md', () => {
	it('has all settings of the manifest with their current descriptions (to update it: node scripts/settingsPage.ts)', () => {
		assert.equal(fs.readFileSync(settingsPagePath, 'utf8'), renderSettingsPage());
	});
});
