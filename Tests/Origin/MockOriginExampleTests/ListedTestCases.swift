public import XCTest

/// The test cases of XCTest, for ci/TestMain.swift.
public enum ListedTestCases {
    /// Each class with its tests.
    public static var all: [XCTestCaseEntry] {
        [testCase([("testPostInvalidates", asyncTest(MockServerXCTestCase.testPostInvalidates))])]
    }
}
