exports.handlers = { a: () => 'common' };
