export const handlers = { a: () => 'compiled' };
