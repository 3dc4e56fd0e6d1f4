package dir_test
