import assert from 'node:assert/strict';
import { detectCharset } from '#engine/documents/charsetDetection.ts';
import { readDocumentText } from '#engine/documents/documents.ts';

/** Texts with their charset and their bytes in base64. */
const texts = [
	['shift_jis', '東京都,大阪府\n名前,年齢\n山田太郎,42\n', 'k4yLnpNzLJHljeOVewqWvJFPLJROl+4KjlKTY5G+mFksNDIK'],
	['shift_jis', '名前,年齢\n', 'lryRTyyUTpfuCg=='],
	['shift_jis', 'これはテストです。日本語の文章を書きます。\n', 'grGC6oLNg2WDWINngsWCt4FCk/qWe4zqgsyVto/NgvCPkYKrgtyCt4FCCg=='],
	['gb18030', '姓名,年龄\n张三,30\n', '0NXD+yzE6sHkCtXFyP0sMzAK'],
	['gb18030', '姓名,年龄', '0NXD+yzE6sHk'],
	['gb18030', '产品名称,价格,数量\n苹果,3.5,10\n', 'svrGt8P7s8YsvNu48SzK/cG/Csa7ufssMy41LDEwCg=='],
	['gb18030', '这是一个简单的测试文件，里面有一些中文。\n', '1eLKx9K7uPa88rWltcSy4srUzsS8/qOswO/D5tPQ0rvQqdbQzsShowo='],
	['big5', '姓名,年齡\n王小明,30\n', 'qW2mVyymfsTWCqT9pHCp+iwzMAo='],
	['big5', '這是一個簡單的測試檔案，裡面有一些中文。\n', 's2+sT6RArdPCsrPmqrq0+rjVwMmu16FBuMytsaazpECox6SkpOWhQwo='],
	['big5', '產品,價格\n蘋果,3\n', 'sqOrfiy7+a7mCsSrqkcsMwo='],
	['euc-kr', '이름,나이\n김철수,30\n', 'wMy4pyyzqsDMCrHow7a89iwzMAo='],
	['euc-kr', '안녕하세요. 이것은 한국어로 쓴 문서입니다.\n', 'vsiz58fPvLy/5C4gwMywzcC6IMfRsbm+7rfOIL60ILmuvK3A1LTPtNkuCg=='],
	['euc-kr', '상품,가격,수량\n사과,1000,3\n', 'u/PHsCywobDdLLz2t64Ku+ew+iwxMDAwLDMK'],
	['windows-1251', 'Имя,Возраст\nИван Петров,30\n', 'yOz/LMLu5/Dg8fIKyOLg7SDP5fLw7uIsMzAK'],
	['windows-1251', 'Привет, мир! Это проверка.\n', 'z/Do4uXyLCDs6PAhIN3y7iDv8O7i5fDq4C4K'],
	['windows-1251', 'НАЗВАНИЕ;ЦЕНА\nЁлка;«10»\n', 'zcDHwsDNyMU71sXNwAqo6+rgO6sxMLsK'],
	['euc-jp', '名前とカタカナです\n', 'zL7BsKTIpaulv6Wrpcqkx6S5Cg=='],
	['windows-1252', 'Café au lait, Müller, naïve – “déjà vu”\n', 'Q2Fm6SBhdSBsYWl0LCBN/GxsZXIsIG5h73ZlIJYgk2TpauAgdnWUCg=='],
	['windows-1252', 'Größe;Straße;Übung\n', 'R3L232U7U3RyYd9lO9xidW5nCg=='],
	['windows-1252', 'año,niño,corazón\n', 'YfFvLG5p8W8sY29yYXrzbgo='],
	['windows-1252', 'Ñandú', '0WFuZPo='],
	['windows-1252', 'Smörgåsbord på ön\n', 'U232cmflc2JvcmQgcOUg9m4K'],
	['windows-1252', '5 €', 'NSCA'],
] as const;

describe('charsets of documents', () => {
	for (const [charset, text, bytes] of texts) {
		it(`reads ${JSON.stringify(text)} in ${charset}`, async () => {
			const content = Buffer.from(bytes, 'base64');
			assert.equal(detectCharset(content), charset);
			assert.equal(await readDocumentText({ name: 'a.txt', mimeType: 'text/plain', bytes: content }), text);
		});
	}

	it('detects the charset of the table in a CSV file, and of the fields in a JSON file', async () => {
		const csv = await readDocumentText({ name: 'a.csv', mimeType: 'text/csv', bytes: Buffer.from('0NXD+yzE6sHkCtXFyP0sMzAK', 'base64') });
		assert.match(csv, /\| 姓名 \| 年龄 \|/);
		const json = Buffer.concat([
			Buffer.from('{"name": "'),
			Buffer.from([0x8e, 0x52, 0x93, 0x63, 0x91, 0xbe, 0x98, 0x59]),
			Buffer.from('"}'),
		]);
		assert.equal(await readDocumentText({ name: 'a.json', mimeType: 'application/json', bytes: json }), '{\n  "name": "山田太郎"\n}');
	});

	it('reads a long text whose sample ends within a character', () => {
		const text = Buffer.concat([Buffer.from('a'), Buffer.from(Array.from({ length: 40_000 }, () => [0xc4, 0xea]).flat())]);
		assert.equal(detectCharset(text), 'gb18030');
	});
});
